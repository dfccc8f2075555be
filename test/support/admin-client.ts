import type { UserRole } from '#platform/auth/users/schema.ts'
import type { Language } from '#platform/language.ts'
import { type Client, type Start, startSite, type TestResponse } from './services.ts'

/** A signed-in user of the console whose browser runs no scripts. */
export interface AdminClient {
  email: string
  /** The Cookie header of the browser. */
  cookies(): string
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>
  /** Sends a form of the console, with the CSRF token of the session. */
  send(path: string, fields: Fields, headers?: Record<string, string>): Promise<TestResponse>
  /** Sends a form and follows its redirect. */
  sendAndFollow(path: string, fields: Fields): Promise<TestResponse>
  /** Sends a form with a file. */
  upload(path: string, fields: Record<string, string>, file: { name: string; text: string }): Promise<TestResponse>
  /** Sends a form with files by the names of their fields. */
  sendFiles(path: string, fields: Record<string, string>, files: Record<string, Buffer>): Promise<TestResponse>
}

export type Fields = Record<string, string | string[]>

export const password = 'a password of the tests'

/** The whole site, with a function that signs in a user of a role. */
export async function startAdmin(start: Start = {}) {
  const site = await startSite(start)
  let count = 0

  async function signIn(role: UserRole, language: Language = 'en'): Promise<AdminClient> {
    count += 1
    const email = `${role}-${count}@example.org`
    await site.admin.post('/users', { name: `The ${role} of the tests`, email, role, language, password })
    const { body } = await site.visitor.post('/sessions', { email, password })
    return newAdminClient(site.visitor, email, body.token)
  }

  return { ...site, signIn }
}

export function newAdminClient(client: Client, email: string, session: string): AdminClient {
  // Cookies besides the session: flash messages for the next page.
  let otherCookies: Record<string, string> = {}
  const cookies = () =>
    Object.entries({ kalends_session: session, ...otherCookies })
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')

  function storeCookies(answer: TestResponse): TestResponse {
    for (const cookie of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      const { [name]: _, ...others } = otherCookies
      otherCookies = value === '' || name === 'kalends_session' ? others : { ...others, [name]: value }
    }
    return answer
  }

  async function get(path: string, headers: Record<string, string> = {}): Promise<TestResponse> {
    return storeCookies(await client.get(path, { cookie: cookies(), ...headers }))
  }

  async function send(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<TestResponse> {
    return storeCookies(
      await sendForm(client, path, { _token: await readToken(), ...fields }, { cookie: cookies(), ...headers })
    )
  }

  async function readToken(): Promise<string> {
    return /name="_token" value="([0-9a-f]+)"/.exec((await get('/admin/account')).text)?.[1] ?? ''
  }

  async function upload(path: string, fields: Record<string, string>, file: { name: string; text: string }) {
    const parts = new FormData()
    parts.append('file', new Blob([file.text]), file.name)
    return await sendParts(path, fields, parts)
  }

  async function sendFiles(path: string, fields: Record<string, string>, files: Record<string, Buffer>) {
    const parts = new FormData()
    for (const [name, bytes] of Object.entries(files))
      parts.append(name, new Blob([new Uint8Array(bytes)]), `${name}.png`)
    return await sendParts(path, fields, parts)
  }

  async function sendParts(path: string, fields: Record<string, string>, parts: FormData): Promise<TestResponse> {
    for (const [name, value] of Object.entries({ _token: await readToken(), ...fields })) parts.append(name, value)
    const body = new Response(parts)
    return storeCookies(
      await client.send({
        method: 'POST',
        url: path,
        headers: { 'content-type': body.headers.get('content-type') ?? '', cookie: cookies() },
        payload: Buffer.from(await body.arrayBuffer())
      })
    )
  }

  async function sendAndFollow(path: string, fields: Fields): Promise<TestResponse> {
    const answer = await send(path, fields)
    if (answer.status !== 303) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    return await get(answer.headers.location ?? '')
  }

  return { email, cookies, get, send, sendAndFollow, upload, sendFiles }
}

/** Sends a form as a browser does. */
export async function sendForm(client: Client, path: string, fields: Fields, headers: Record<string, string> = {}) {
  const pairs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map(one => [name, one]))
  return await client.send({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(pairs as [string, string][]).toString()
  })
}
