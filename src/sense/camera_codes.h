// SPDX-License-Identifier: BSD-3-Clause
//
// Codes of signals, IEC 61966-2-1: 12.92 x up to 0.0031308, 1.055 x^(1/2.4) - 0.055 above, times
// 255 and rounded. The table has the least signal of each code, so that codes need neither
// logarithms nor powers.
#ifndef RUT_SENSE_CAMERA_CODES_H
#define RUT_SENSE_CAMERA_CODES_H

#include "math/rut_math.h"

// Parts of the range of signals, each of which has at most one such limit in it: the steepest slope
// is 12.92 times 255 codes.
enum { RUT_CAMERA_PARTS = 4096 };

// Number c is the least signal with the code c + 1.
static const double RUT_CAMERA_LEAST[256] = {
    0x1.3e45677c176f6p-13, 0x1.dd681b3a23272p-12, 0x1.8dd6c15b1d4b4p-11, 0x1.167cba8c94818p-10,
    0x1.660e146b9a5d5p-10, 0x1.b59f6e4aa0393p-10, 0x1.02986414d30a8p-9,  0x1.2a61110455f87p-9,
    0x1.5229bdf3d8e66p-9,  0x1.79f26ae35bd45p-9,  0x1.a1e5a03a8a4b6p-9,  0x1.cbf734477e0e7p-9,
    0x1.f8680590912c2p-9,  0x1.13a0be3e98ad7p-8,  0x1.2c4665c6bc589p-8,  0x1.4629793a399bp-8,
    0x1.614e607554158p-8,  0x1.7db96ca0c99dfp-8,  0x1.9b6ed95fb6dc2p-8,  0x1.ba72cde4cb5cdp-8,
    0x1.dac95df18329ap-8,  0x1.fc768ac1bd735p-8,  0x1.0fbf21f2dc489p-7,  0x1.21f234061c55dp-7,
    0x1.34d662df32ddcp-7,  0x1.486d8e075e9d3p-7,  0x1.5cb98d9e2546p-7,   0x1.71bc32a59ad48p-7,
    0x1.87774749cc7c6p-7,  0x1.9dec8f23ba5bdp-7,  0x1.b51dc7783fa2dp-7,  0x1.cd0ca7733ec86p-7,
    0x1.e5bae05f5ea99p-7,  0x1.ff2a1dda9da48p-7,  0x1.0cae0303fc81cp-6,  0x1.1a291cdf30862p-6,
    0x1.28072a5a96569p-6,  0x1.3648f6d71d8d6p-6,  0x1.44ef4b4ef6b8ep-6,  0x1.53faee688f617p-6,
    0x1.636ca4889ebeep-6,  0x1.73452fe3532a9p-6,  0x1.8385508caeef9p-6,  0x1.942dc48821f74p-6,
    0x1.a53f47d76ca88p-6,  0x1.b6ba9488d7614p-6,  0x1.c8a062c4c9085p-6,  0x1.daf168dac665p-6,
    0x1.edae5b4de330ep-6,  0x1.006bf67056984p-5,  0x1.0a3767504c7e7p-5,  0x1.1439d7f87bcfap-5,
    0x1.1e739f4abdd1bp-5,  0x1.28e5135e29deap-5,  0x1.338e8983f0648p-5,  0x1.3e70564c063c3p-5,
    0x1.498acd89a2d59p-5,  0x1.54de4257938cdp-5,  0x1.606b071c66585p-5,  0x1.6c316d8e6dd6p-5,
    0x1.7831c6b7a0a45p-5,  0x1.846c62f955cedp-5,  0x1.90e1920fdffcfp-5,  0x1.9d91a31608f93p-5,
    0x1.aa7ce4886f086p-5,  0x1.b7a3a448c57bcp-5,  0x1.c5062fa0f9c9bp-5,  0x1.d2a4d3463e6bap-5,
    0x1.e07fdb5bfcb0fp-5,  0x1.ee979376ae978p-5,  0x1.fcec469ea1be8p-5,  0x1.05bf1fa952342p-4,
    0x1.0d26e3c54ebeap-4,  0x1.14ad945d08393p-4,  0x1.1c5355e946f1fp-4,  0x1.24184ca308d88p-4,
    0x1.2bfc9c84a7aedp-4,  0x1.3400694af6b49p-4,  0x1.3c23d67658243p-4,  0x1.4467074bcad3fp-4,
    0x1.4cca1ed5f04c9p-4,  0x1.554d3fe60b98p-4,   0x1.5df08d14f917p-4,   0x1.66b428c41f9a2p-4,
    0x1.6f98351e5b03cp-4,  0x1.789cd418e0ac3p-4,  0x1.81c227741dc2ep-4,  0x1.8b0850bc8fe6cp-4,
    0x1.946f714b98252p-4,  0x1.9df7aa484899ap-4,  0x1.a7a11ca82cd63p-4,  0x1.b16be9300d4bbp-4,
    0x1.bb583074add2fp-4,  0x1.c56612db878dep-4,  0x1.cf95b09b7e3e7p-4,  0x1.d9e729bd913dfp-4,
    0x1.e45a9e1d883c8p-4,  0x1.eef02d6a9be76p-4,  0x1.f9a7f7281a9aap-4,  0x1.02410d57049f5p-3,
    0x1.07bf5b94e038ap-3,  0x1.0d4ef5cf430b3p-3,  0x1.12efeb7311b7cp-3,  0x1.18a24bd8bbe9dp-3,
    0x1.1e6626448413p-3,   0x1.243b89e6c58e7p-3,  0x1.2a2285dc393e6p-3,  0x1.301b292e38aa5p-3,
    0x1.362582d2ffac4p-3,  0x1.3c41a1adecb79p-3,  0x1.426f948fbfc29p-3,  0x1.48af6a36d7de5p-3,
    0x1.4f01314f6f85fp-3,  0x1.5564f873d7af5p-3,  0x1.5bdace2cb1a52p-3,  0x1.6262c0f127b37p-3,
    0x1.68fcdf2724b0dp-3,  0x1.6fa937238a68ep-3,  0x1.7667d72a66f3fp-3,  0x1.7d38cd6f28fecp-3,
    0x1.841c2814d30eep-3,  0x1.8b11f52e2dc7p-3,   0x1.921a42bdf9328p-3,  0x1.99351eb71d1f8p-3,
    0x1.a06296fcd88fdp-3,  0x1.a7a2b962f040bp-3,  0x1.aef593addc582p-3,  0x1.b65b3392f5353p-3,
    0x1.bdd3a6b89f6d9p-3,  0x1.c55efab676fe4p-3,  0x1.ccfd3d1579b01p-3,  0x1.d4ae7b5030ba7p-3,
    0x1.dc72c2d2d9a6p-3,   0x1.e44a20fb8e726p-3,  0x1.ec34a31a6d0b7p-3,  0x1.f4325671be06ap-3,
    0x1.fc4348361ab77p-3,  0x1.0233c2c7494c1p-2,  0x1.064f8dca68078p-2,  0x1.0a750baa9e48ep-2,
    0x1.0ea442e792158p-2,  0x1.12dd39fa6c334p-2,  0x1.171ff755e9548p-2,  0x1.1b6c81666af88p-2,
    0x1.1fc2de920806ap-2,  0x1.242315389d221p-2,  0x1.288d2bb3dcb8fp-2,  0x1.2d0128575ed2p-2,
    0x1.317f1170b096dp-2,  0x1.3606ed4763a0ap-2,  0x1.3a98c21d1d042p-2,  0x1.3f34962da4213p-2,
    0x1.43da6faef137ep-2,  0x1.488a54d13bc06p-2,  0x1.4d444bbf088c8p-2,  0x1.52085a9d37af6p-2,
    0x1.56d6878b122d8p-2,  0x1.5baed8a2577adp-2,  0x1.609153f74abf8p-2,  0x1.657dff98bfedp-2,
    0x1.6a74e190289f5p-2,  0x1.6f75ffe1a0cbcp-2,  0x1.7481608bfb427p-2,  0x1.79970988cdfcdp-2,
    0x1.7eb700cc7e40dp-2,  0x1.83e14c464c95ap-2,  0x1.8915f1e0608a5p-2,  0x1.8e54f77fd4545p-2,
    0x1.939e6304c03f6p-2,  0x1.98f23a4a45f6dp-2,  0x1.9e5083269ba34p-2,  0x1.a3b9436b16e18p-2,
    0x1.a92c80e437919p-2,  0x1.aeaa4159b27fbp-2,  0x1.b4328a8e7be4cp-2,  0x1.b9c56240d1c5bp-2,
    0x1.bf62ce2a462a8p-2,  0x1.c50ad3ffc9338p-2,  0x1.cabd7971b30b6p-2,  0x1.d07ac42bcdb48p-2,
    0x1.d642b9d55eb89p-2,  0x1.dc15601130b24p-2,  0x1.e1f2bc7d9cba6p-2,  0x1.e7dad4b493b28p-2,
    0x1.edcdae4ba7706p-2,  0x1.f3cb4ed413cc2p-2,  0x1.f9d3bbdac78d2p-2,  0x1.ffe6fae86d3d8p-2,
    0x1.030288c0b9edep-1,  0x1.061702930bb94p-1,  0x1.0930eda934ca3p-1,  0x1.0c504cbf2cdcbp-1,
    0x1.0f75228edec22p-1,  0x1.129f71d02c75dp-1,  0x1.15cf3d38f323ep-1,  0x1.1904877d0f24ep-1,
    0x1.1c3f534e5fea6p-1,  0x1.1f7fa35ccbe1dp-1,  0x1.22c57a564448cp-1,  0x1.2610dae6c8f65p-1,
    0x1.2961c7b86c18ap-1,  0x1.2cb8437355e5cp-1,  0x1.301450bdc8432p-1,  0x1.3375f23c225fep-1,
    0x1.36dd2a90e443dp-1,  0x1.3a49fc5cb2567p-1,  0x1.3dbc6a3e58d7ap-1,  0x1.413476d2cf4fep-1,
    0x1.44b224b53bf63p-1,  0x1.4835767ef70a3p-1,  0x1.4bbe6ec78e26bp-1,  0x1.4f4d1024c7885p-1,
    0x1.52e15d2aa54a8p-1,  0x1.567b586b689dp-1,   0x1.5a1b047794ed6p-1,  0x1.5dc063ddf309p-1,
    0x1.616b792b94359p-1,  0x1.651c46ebd53f5p-1,  0x1.68d2cfa861811p-1,  0x1.6c8f15e935e12p-1,
    0x1.70511c34a3c67p-1,  0x1.7418e50f54069p-1,  0x1.77e672fc49c8dp-1,  0x1.7bb9c87ce563fp-1,
    0x1.7f92e810e7316p-1,  0x1.8371d436725abp-1,  0x1.87568f6a0f9ddp-1,  0x1.8b411c26b009ap-1,
    0x1.8f317ce5afb41p-1,  0x1.9327b41ed8676p-1,  0x1.9723c44864498p-1,  0x1.9b25afd7007b1p-1,
    0x1.9f2d793dcfaefp-1,  0x1.a33b22ee6cbcep-1,  0x1.a74eaf58ed2a5p-1,  0x1.ab6820ebe3af3p-1,
    0x1.af877a1462b18p-1,  0x1.b3acbd3dfebcp-1,   0x1.b7d7ecd2d0ee1p-1,  0x1.bc090b3b79646p-1,
    0x1.c0401adf219b8p-1,  0x1.c47d1e237ecd6p-1,  0x1.c8c0176cd4469p-1,  0x1.cd09091df5b72p-1,
    0x1.d157f598497d2p-1,  0x1.d5acdf3bcae8bp-1,  0x1.da07c8670c7a6p-1,  0x1.de68b3773a1c8p-1,
    0x1.e2cfa2c81b55ap-1,  0x1.e73c98b41576cp-1,  0x1.ebaf97942dc33p-1,  0x1.f028a1c00b92cp-1,
    0x1.f4a7b98dfa6eep-1,  0x1.f92ce152ec2bap-1,  0x1.fdb81b627af93p-1,  (double)INFINITY};

// code[RUT_CAMERA_PARTS + 1]: of the signal at the beginning of each part.
static inline void rut_camera_codes(unsigned char* code) {
  int c = 0;
  for (int i = 0; i <= RUT_CAMERA_PARTS; i++) {
    while (RUT_CAMERA_LEAST[c] <= i * (1.0 / RUT_CAMERA_PARTS)) c++;
    code[i] = (unsigned char)c;
  }
}

// Signals that are no numbers are black.
static inline unsigned char rut_camera_code_of(const unsigned char* code, double signal) {
  const double x = signal > 0 ? rut_min(signal, 1) : 0;
  const unsigned char c = code[(int)(RUT_CAMERA_PARTS * x)];
  return (unsigned char)(c + (x >= RUT_CAMERA_LEAST[c]));
}

#endif  // RUT_SENSE_CAMERA_CODES_H
