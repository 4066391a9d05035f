// SPDX-License-Identifier: BSD-3-Clause
// Lets node's test runner import the page's TypeScript: node --import ./test/typescript.mjs --test

import { register } from 'node:module';

register('./typescript_loader.mjs', import.meta.url);
