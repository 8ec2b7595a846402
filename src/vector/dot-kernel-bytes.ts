/** WebAssembly of scripts/kernels/dot.wat, base64. Made by `node scripts/kernels/build.js`; do not edit. */
export const DOT_KERNEL = [
  'AGFzbQEAAAABCwFgB39/f39/fH8AAwIBAAUDAQABBxECBm1lbW9yeQIABHNjYW4AAArBAQG+AQIDfwJ7IAAhByAAIAEgAmxq',
  'IQgCQANAIAcgCE8NAf0MAAAAAAAAAAAAAAAAAAAAACELQQAhCQNAIAcgCWr9AAAEIQogCyAK/YcBIAMgCUEBdGr9AAQA/boB',
  'IAr9iAEgAyAJQQF0av0ABBD9ugH9rgH9rgEhCyAJQRBqIQkgCSAESQ0ACyAGIAcqAAC7IAWiIAv9GwAgC/0bAWogC/0bAiAL',
  '/RsDamq3ojkDACAGQQhqIQYgByACaiEHDAALCws=',
].join('')
