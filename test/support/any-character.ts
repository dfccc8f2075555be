import fc from 'fast-check'

/**
 * Any character, for `fc.string({ unit: anyCharacter })`. The unit `binary` has the same ones, but builds a table of all of
 * them first, which takes seconds.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(code => String.fromCodePoint(code))
