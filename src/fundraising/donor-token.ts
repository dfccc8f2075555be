import { randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base = BigInt(alphabet.length)
/** So many characters hold 128 bits. */
const length = 22

/** What lets a donor look at the own donation without any account: whoever has it may. */
export function newDonorToken(): string {
  let rest = BigInt(`0x${randomBytes(16).toString('hex')}`)
  let token = ''
  for (let place = 0; place < length; place += 1) {
    token = alphabet.charAt(Number(rest % base)) + token
    rest /= base
  }
  return token
}

/** Could this be one? Those of donations from before there were tokens are 32 characters long. */
export function isDonorToken(text: string): boolean {
  return /^[0-9A-Za-z]{22,32}$/.test(text)
}
