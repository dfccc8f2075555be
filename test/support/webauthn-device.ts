// A WebAuthn authenticator: creates keys and signs with them (ES256, no attestation).
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export interface Device {
  /** The result of navigator.credentials.create(), as JSON. */
  create(options: { challenge: string; rp: { id: string }; user: { id: string } }, overrides?: DeviceOverrides): object
  /** The result of navigator.credentials.get(), as JSON. */
  get(options: { challenge: string; rpId: string }, overrides?: DeviceOverrides): object
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
  const clientData = (type: string, challenge: string, overrides: DeviceOverrides) =>
    Buffer.from(
      JSON.stringify({
        type: overrides.type ?? type,
        challenge: overrides.challenge ?? challenge,
        origin: overrides.origin ?? origin,
        crossOrigin: false
      })
    )
  const authenticatorData = (rpId: string, overrides: DeviceOverrides, more: Buffer = Buffer.alloc(0)) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(device.counter)
    const flags = 0x01 | (overrides.isVerified === false ? 0 : 0x04) | (more.length > 0 ? 0x40 : 0)
    return Buffer.concat([sha256(overrides.rpId ?? rpId), Buffer.of(flags), counter, more])
  }
  const base = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' }

  const device: Device = {
    counter: 1,
    create: ({ challenge, rp, user }, overrides = {}) => {
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
      const data = authenticatorData(rp.id, overrides, attested)
      const attestationObject = Buffer.concat([
        Buffer.of(0xa3),
        ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.of(0xa0), cborText('authData')],
        Buffer.of(0x58, data.length),
        data
      ])
      const client = clientData('webauthn.create', challenge, overrides)
      const response = {
        clientDataJSON: client.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal']
      }
      return { ...base, response }
    },
    get: ({ challenge, rpId }, overrides = {}) => {
      const client = clientData('webauthn.get', challenge, overrides)
      const data = authenticatorData(rpId, overrides)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), overrides.signedBy ?? privateKey)
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: overrides.userHandle ?? userHandle
      }
      return { ...base, response }
    }
  }
  return device
}

const cborText = (text: string) => Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)])
