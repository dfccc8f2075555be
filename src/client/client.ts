import openapiFetch, {
  type Client as FetchClient,
  type FetchOptions,
  type FetchResponse,
  type ParseAs
} from 'openapi-fetch'
import type { components, paths } from './api.ts'

export interface ClientOptions {
  /** Where the service is, such as `https://give.example.org`. */
  baseUrl: string
  /** A key; without one the client may do what everybody may. */
  key?: string | undefined
  /** What messages, and texts of the content, should be in. */
  language?: 'en' | 'de' | undefined
  /** Instead of the global one: with retries, through a proxy, or for a test. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** Every route of every service by its address: `client.GET('/campaigns')`. */
export type Client = { [Name in Method as Uppercase<Name>]: Send<Name> } & Pick<FetchClient<paths>, 'use' | 'eject'>

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Other than openapi-fetch's own type, this one does not let a misspelt field through. */
type Send<Name extends Method> = <Path extends PathsWith<Name>, As extends ParseAs = 'json'>(
  address: Path,
  ...options: Options<paths[Path][Name & keyof paths[Path]], As>
) => Promise<Result<paths[Path][Name & keyof paths[Path]], As>>

type PathsWith<Name extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<Name, unknown> ? Path : never
}[keyof paths]

type Options<Operation, As> =
  Record<never, never> extends FetchOptions<Operation>
    ? [options?: FetchOptions<Operation> & { parseAs?: As }]
    : [options: FetchOptions<Operation> & { parseAs?: As }]

type Result<Operation, As> = FetchResponse<Operation & Record<string, unknown>, { parseAs: As }, `${string}/${string}`>

/** A client for any number of requests. It keeps nothing between them. */
export function newClient({ baseUrl, key, language, fetch }: ClientOptions): Client {
  const client: unknown = openapiFetch<paths>({
    baseUrl,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(language === undefined ? {} : { 'accept-language': language })
    },
    querySerializer: serializeQuery,
    ...(fetch === undefined ? {} : { fetch })
  })
  return client as Client
}

/** What an answer carries, such as `Answer<'/campaigns', 'get'>`. */
export type ResponseBody<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method] extends {
  responses: infer Responses
}
  ? JsonOf<Responses[keyof Responses & (200 | 201 | 202)]>
  : never

/** What a request carries, such as `Body<'/campaigns', 'post'>`. */
export type RequestBody<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method] extends {
  requestBody: infer Content
}
  ? JsonOf<Content>
  : never

type JsonOf<Content> = Content extends { content: { 'application/json': infer Json } } ? Json : never

export type Campaign = ResponseBody<'/campaigns/{campaignId}', 'get'>
export type Donation = ResponseBody<'/campaigns/{campaignId}/donations', 'post'>
export type CalendarEvent = components['schemas']['Event']
export type Venue = components['schemas']['Venue']
export type Organizer = components['schemas']['Organizer']
/** How campaigns, and all that belongs to no service, refuse. */
export type Problem = components['schemas']['Problem']
/** How the calendar refuses. */
export type CalendarRefusal = components['schemas']['Refusal']
export type { components, paths }

/** What an answer carries, or a `Refused` for what was refused: `const campaigns = await buildWriterResult(client.GET('/campaigns'))`. */
export async function unwrap<Result extends { data?: unknown; error?: unknown; response: Response }>(
  request: Promise<Result>
): Promise<Extract<Result, { error?: never }>['data']> {
  const { data, error, response } = await request
  if (!response.ok) throw new ApiError(response, error)
  return data
}

/** The service said no. Both ways in which services say so read the same here. */
export class ApiError extends Error {
  override readonly name = 'Refused'
  readonly status: number
  /** For programs: stable. Empty where somebody else answered, such as a proxy. */
  readonly code: string
  /** What is wrong with which field, by its name or by the path to it (`account/iban`). */
  readonly fields: Record<string, string>
  /** Finds the request in the log of the service. */
  readonly requestId: string
  /** When it is worth another try, where the service knows. */
  readonly retryAfterSeconds: number | undefined

  constructor(response: Response, body: unknown) {
    const { detail, message, code, errors, data } = (isObject(body) ? body : {}) as Partial<Problem & CalendarRefusal>
    super(detail ?? message ?? `The service answered ${response.status}.`)
    this.status = response.status
    this.code = code ?? ''
    this.requestId = response.headers.get('x-request-id') ?? ''
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined
    this.fields = {}
    for (const one of errors ?? []) this.fields[one.pointer.replace(/^\//, '')] = one.message
    const params = data?.params ?? {}
    const named = Array.isArray(params) ? params.map(name => [String(name), this.message]) : Object.entries(params)
    for (const [name, text] of named) this.fields[String(name)] = String(text)
  }
}

/** Makes sending the same request again harmless: `client.POST(address, { body, ...sent })` with one `sent = once()` for all tries. */
export function withIdempotencyKey(key: string = randomKey()): { headers: { 'Idempotency-Key': string } } {
  return { headers: { 'Idempotency-Key': key } }
}

/** `randomUUID()` is not there on pages without HTTPS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** In brackets, as a value in a list may hold a comma. */
function serializeQuery(query: Record<string, unknown>): string {
  const words = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) words.append(`${name}[]`, String(one))
    else if (value !== undefined && value !== null) words.append(name, String(value))
  }
  return words.toString()
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
