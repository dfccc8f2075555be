// An OpenID provider for tests. Like real providers, it refuses unknown clients, redirect URIs that are not registered, used
// codes and wrong verifiers.
import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  randomBytes,
  sign
} from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { type OpenIdSettings, openIdReturnPath } from '#platform/settings/openid-settings.ts'

/** A user with an account at the provider. */
export interface ProviderPerson {
  sub: string
  email?: string
  email_verified?: boolean | string
}

/** Deviations of a faulty provider or an attacker in between. */
export interface ProviderLies {
  claims?: Record<string, unknown>
  signedBy?: KeyObject
  algorithm?: 'none'
  state?: string
  iss?: string
  hasNoIdToken?: boolean
}

export interface TestProvider {
  issuer: string
  /** For the program: settings, and the environment that they come from. */
  settings: OpenIdSettings
  env: Record<string, string>
  redirectUris: string[]
  /** Wrong values in the next responses and tokens. */
  lies: ProviderLies
  /** Where the email address is: in the ID token, or only at the userinfo endpoint. */
  tellsEmailIn: 'idToken' | 'userInfo'
  /** The supported methods of client authentication, as in its metadata; others are refused. */
  authMethods: string[]
  /** If set, sends the response to every request, as a failing provider. */
  trouble: ((response: ServerResponse) => void) | undefined
  /** The number of requests for its metadata. */
  discoveries: number
  /** Bodies and headers of requests to the token endpoint. */
  tokenRequests: string[]
  /** Every code and token that it has issued. */
  issued: string[]
  /** The users by the subject that is entered in its form. */
  people: Map<string, ProviderPerson>
  /** Opens the sign-in page as a browser does, and signs in or cancels. Returns the query string of the redirect. */
  authorize(location: string, who: ProviderPerson | 'cancel'): Promise<string>
}

interface Code {
  redirectUri: string
  challenge: string
  nonce: string
  sub: string
}

const clientId = 'kalends of the tests'
const clientSecret = 'secret: with %, + and ümlaut'

/** Of all providers of this process: generating an RSA key takes up to half a second. */
let keys: KeyPairKeyObjectResult | undefined

/** Stopped after the file's tests. */
export async function startOpenIdProvider(publicUrl = 'http://localhost'): Promise<TestProvider> {
  keys ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { privateKey, publicKey } = keys
  const codes = new Map<string, Code>()
  const accessTokens = new Map<string, string>()

  const server = createServer((request, response) => {
    answer(request, response).catch(error => response.writeHead(500).end(String(error)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(async () => {
    server.close().closeAllConnections()
  })
  // By name, so that it is another site for browsers than the IP address of the tested server.
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`

  const redirectUri = publicUrl + openIdReturnPath
  const name = 'Lindenhof ID'

  const provider: TestProvider = {
    issuer,
    settings: { issuer, clientId, clientSecret, name, redirectUri },
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: name
    },
    redirectUris: [redirectUri],
    lies: {},
    tellsEmailIn: 'idToken',
    authMethods: ['client_secret_basic', 'client_secret_post'],
    trouble: undefined,
    discoveries: 0,
    tokenRequests: [],
    issued: [],
    people: new Map(),
    authorize
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer)
    const body = new URLSearchParams(await text(request))
    if (provider.trouble !== undefined) return provider.trouble(response)
    const json = (status: number, value: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const name = `${request.method} ${url.pathname}`
    if (name === 'GET /.well-known/openid-configuration') {
      provider.discoveries += 1
      return json(200, metadata())
    }
    if (name === 'GET /jwks') {
      return json(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] })
    }
    if (name === 'GET /authorize') return showForm(url.searchParams, response)
    if (name === 'POST /authorize') return redirectBack(body, response)
    if (name === 'POST /token') {
      provider.tokenRequests.push(`${request.headers.authorization ?? ''} ${body}`)
      const [status, value] = exchange(request, body)
      return json(status, value)
    }
    if (name === 'GET /userinfo') {
      const person = provider.people.get(
        accessTokens.get(String(request.headers.authorization).replace('Bearer ', '')) ?? ''
      )
      return person === undefined ? json(401, { error: 'invalid_token' }) : json(200, person)
    }
    response.writeHead(404).end()
  }

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: provider.authMethods,
    authorization_response_iss_parameter_supported: true
  })

  /** Whether client and redirect URI are registered. Otherwise nothing is redirected, which would be an open redirect. */
  function isRegistered(params: URLSearchParams): boolean {
    return params.get('client_id') === clientId && provider.redirectUris.includes(params.get('redirect_uri') ?? '')
  }

  function showForm(params: URLSearchParams, response: ServerResponse): void {
    const isValid =
      params.get('response_type') === 'code' &&
      params.get('scope') === 'openid email' &&
      params.get('code_challenge_method') === 'S256' &&
      (params.get('code_challenge') ?? '').length === 43 &&
      (params.get('state') ?? '').length >= 22 &&
      (params.get('nonce') ?? '').length >= 22
    if (!isRegistered(params) || !isValid) return void response.writeHead(400).end('This request is not allowed.')
    const inputs = [...params].map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
    )
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><html lang="en"><title>Provider of the tests</title><h1>Provider of the tests</h1>
      <form method="post" action="/authorize">${inputs.join('')}
      <label>Account <input name="sub"></label>
      <button name="go" value="yes">Sign in here</button> <button name="go" value="no">Cancel</button></form></html>`)
  }

  function redirectBack(params: URLSearchParams, response: ServerResponse): void {
    if (!isRegistered(params)) return void response.writeHead(400).end()
    const back = new URL(params.get('redirect_uri') ?? '')
    back.searchParams.set('state', provider.lies.state ?? params.get('state') ?? '')
    back.searchParams.set('iss', provider.lies.iss ?? issuer)
    const person = provider.people.get(params.get('sub') ?? '')
    if (params.get('go') === 'yes' && person !== undefined) {
      const code = randomBytes(24).toString('base64url')
      codes.set(code, {
        redirectUri: params.get('redirect_uri') ?? '',
        challenge: params.get('code_challenge') ?? '',
        nonce: params.get('nonce') ?? '',
        sub: person.sub
      })
      provider.issued.push(code)
      back.searchParams.set('code', code)
    } else {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', '<script>alert("the provider\'s text")</script>')
    }
    response.writeHead(303, { location: back.href }).end()
  }

  function exchange(request: IncomingMessage, params: URLSearchParams): [status: number, answer: object] {
    if (!isAuthentic(request.headers.authorization, params)) return [401, { error: 'invalid_client' }]
    const code = codes.get(params.get('code') ?? '')
    // A code can be used once, also if the exchange fails.
    codes.delete(params.get('code') ?? '')
    const isVerified =
      createHash('sha256')
        .update(params.get('code_verifier') ?? '')
        .digest('base64url') === code?.challenge
    if (params.get('grant_type') !== 'authorization_code') return [400, { error: 'unsupported_grant_type' }]
    if (code === undefined || code.redirectUri !== params.get('redirect_uri') || !isVerified) {
      return [400, { error: 'invalid_grant', error_description: 'a text of the provider' }]
    }
    const accessToken = randomBytes(24).toString('base64url')
    accessTokens.set(accessToken, code.sub)
    const idToken = signToken(code)
    provider.issued.push(accessToken, idToken)
    const tokens = { access_token: accessToken, token_type: 'Bearer', expires_in: 300 }
    return [200, provider.lies.hasNoIdToken === true ? tokens : { ...tokens, id_token: idToken }]
  }

  function isAuthentic(authorization: string | undefined, params: URLSearchParams): boolean {
    if (authorization === undefined) {
      const isCorrect = params.get('client_id') === clientId && params.get('client_secret') === clientSecret
      return isCorrect && provider.authMethods.includes('client_secret_post')
    }
    const credentials = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
    const [id, secret] = credentials.split(':').map(part => decodeURIComponent(part.replaceAll('+', ' ')))
    return id === clientId && secret === clientSecret && provider.authMethods.includes('client_secret_basic')
  }

  function signToken({ nonce, sub }: Code): string {
    const { lies, tellsEmailIn } = provider
    const now = Math.floor(Date.now() / 1000)
    const { email, email_verified } = provider.people.get(sub) ?? {}
    const emailClaims = tellsEmailIn === 'idToken' ? { email, email_verified } : {}
    const claims = { iss: issuer, aud: clientId, sub, nonce, iat: now, exp: now + 300, ...emailClaims, ...lies.claims }
    const encodePart = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const alg = lies.algorithm ?? 'RS256'
    const signed = `${encodePart({ alg, kid: 'one', typ: 'JWT' })}.${encodePart(claims)}`
    const signature = sign('sha256', Buffer.from(signed), lies.signedBy ?? privateKey).toString('base64url')
    return `${signed}.${alg === 'none' ? '' : signature}`
  }

  async function authorize(location: string, who: ProviderPerson | 'cancel'): Promise<string> {
    const page = await fetch(location)
    if (page.status !== 200) throw new Error(`The provider refused the request: ${page.status} ${await page.text()}`)
    await page.body?.cancel()
    if (who !== 'cancel') provider.people.set(who.sub, who)
    const choice = who === 'cancel' ? { go: 'no', sub: '' } : { go: 'yes', sub: who.sub }
    const form = new URLSearchParams({ ...Object.fromEntries(new URL(location).searchParams), ...choice })
    const answer = await fetch(`${issuer}/authorize`, { method: 'POST', body: form, redirect: 'manual' })
    await answer.body?.cancel()
    return new URL(answer.headers.get('location') ?? '').search.slice(1)
  }

  return provider
}

function escapeHtml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
