import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTotpUri, computeTotpCode, findTotpStep, getTotpStep, newTotpSecret } from './totp.ts'

/** The secret of RFC 6238, appendix B: 12345678901234567890. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test('codes are those of the table in RFC 6238', () => {
  const vectors: [seconds: number, code: string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130']
  ]
  for (const [seconds, code] of vectors) {
    const step = getTotpStep(new Date(seconds * 1000))
    assert.equal(computeTotpCode(secret, step, 8), code)
    assert.equal(computeTotpCode(secret, step), code.slice(2))
  }
})

test('codes of the previous, the current and the next step are valid, others are not', () => {
  const now = new Date(1234567890_000)
  const step = getTotpStep(now)
  for (const [offset, isRight] of [
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false]
  ] as const) {
    assert.equal(
      findTotpStep(secret, computeTotpCode(secret, step + offset), now, null),
      isRight ? step + offset : undefined
    )
  }
})

test('a code of a used step, or of an earlier one, is refused', () => {
  const now = new Date(1234567890_000)
  const step = getTotpStep(now)
  assert.equal(findTotpStep(secret, computeTotpCode(secret, step), now, step), undefined)
  assert.equal(findTotpStep(secret, computeTotpCode(secret, step - 1), now, step), undefined)
  assert.equal(findTotpStep(secret, computeTotpCode(secret, step + 1), now, step), step + 1)
})

test('a new secret has 160 bits, and the URI for the app encodes names with any characters', () => {
  assert.match(newTotpSecret(), /^[A-Z2-7]{32}$/)
  assert.notEqual(newTotpSecret(), newTotpSecret())
  const uri = new URL(buildTotpUri(secret, { account: 'anna@example.org', issuer: 'Müller & Söhne: e. V.' }))
  assert.equal(uri.protocol, 'otpauth:')
  assert.equal(uri.searchParams.get('secret'), secret)
  assert.equal(uri.searchParams.get('issuer'), 'Müller & Söhne: e. V.')
  assert.match(decodeURIComponent(uri.pathname), /Müller & Söhne: e\. V\.:anna@example\.org$/)
})
