#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes src/base/powers_of_ten.def: the first 128 bits of each power of ten that a shortest decimal
of a double needs, rounded up.

    tools/make_powers.py > src/base/powers_of_ten.def
"""
FIRST, LAST = -292, 324  # 10^-k for k = floor(log10(2^q)), q from -1074 to 971


def leading_bits(power):
    """ceil(10^power 2^(127 - floor(log2(10^power))))"""
    if power >= 0:
        value = 10 ** power
        shift = 128 - value.bit_length()
        return value << shift if shift >= 0 else -(-value >> -shift)
    value = 10 ** -power
    # 2^127 <= 2^shift / value < 2^128, since value is no power of two
    shift = 127 + value.bit_length()
    return -(-(1 << shift) // value)


def main():
    print("// SPDX-License-Identifier: BSD-3-Clause")
    print("//")
    print(f"// First 128 bits of 10^k, rounded up, for k from {FIRST} to {LAST}: high, low half. Written by")
    print("// tools/make_powers.py.")
    print("// clang-format off")
    for power in range(FIRST, LAST + 1):
        bits = leading_bits(power)
        assert bits >> 127 == 1
        print(f"POWER(0x{bits >> 64:016x}, 0x{bits & (2**64 - 1):016x})")


if __name__ == "__main__":
    main()
