// A WebAuthn authenticator: creates keys and signs with them (ES256, no attestation).
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export interface Device {
  /** Answers to navigator.credentials.create(), as JSON. */
  create(options: { challenge: string; rp: { id: string }; user: { id: string } }, told?: DeviceOverrides): object
  /** Answers to navigator.credentials.get(). */
  get(options: { challenge: string; rpId: string }, told?: DeviceOverrides): object
  /** Its signature counter. */
  counter: number
}

/** Deviations of a faulty device or page. */
export interface DeviceOverrides {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  isVerified?: boolean
  signedBy?: KeyObject
  userHandle?: string
}

export function newDevice(origin = 'http://localhost'): Device {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let userHandle = ''
  const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()
  const clientData = (type: string, challenge: string, told: DeviceOverrides) =>
    Buffer.from(
      JSON.stringify({
        type: told.type ?? type,
        challenge: told.challenge ?? challenge,
        origin: told.origin ?? origin,
        crossOrigin: false
      })
    )
  const authenticatorData = (rpId: string, told: DeviceOverrides, more: Buffer = Buffer.alloc(0)) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(device.counter)
    const flags = 0x01 | (told.isVerified === false ? 0 : 0x04) | (more.length > 0 ? 0x40 : 0)
    return Buffer.concat([sha256(told.rpId ?? rpId), Buffer.of(flags), counter, more])
  }
  const base = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' }

  const device: Device = {
    counter: 1,
    create: ({ challenge, rp, user }, told = {}) => {
      userHandle = user.id
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const key = Buffer.concat([
        Buffer.from('a50102032620012158', 'hex'),
        Buffer.of(32),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url')
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, key])
      const data = authenticatorData(rp.id, told, attested)
      const attestationObject = Buffer.concat([
        Buffer.of(0xa3),
        ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.of(0xa0), cborText('authData')],
        Buffer.of(0x58, data.length),
        data
      ])
      const client = clientData('webauthn.create', challenge, told)
      const response = {
        clientDataJSON: client.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal']
      }
      return { ...base, response }
    },
    get: ({ challenge, rpId }, told = {}) => {
      const client = clientData('webauthn.get', challenge, told)
      const data = authenticatorData(rpId, told)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), told.signedBy ?? privateKey)
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: told.userHandle ?? userHandle
      }
      return { ...base, response }
    }
  }
  return device
}

const cborText = (text: string) => Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)])
