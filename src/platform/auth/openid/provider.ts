import type * as OpenIdClient from 'openid-client'
import { requireLazily } from '../../lazy-require.ts'
import type { Log } from '../../log.ts'
import type { OpenIdSettings } from '../../settings/openid-settings.ts'
import { newProviderUnavailableProblem, newResponseRefusedProblem, newSignInCancelledProblem } from './problems.ts'
import type { OpenIdSubject } from './queries.ts'

const client = requireLazily<typeof OpenIdClient>('openid-client')

/** Timeout of each request to the provider: a user is waiting. */
const timeoutSeconds = 5
/** How long the provider's metadata is cached; a failure is not cached. */
const metadataMs = 3_600_000

/** Bind a response of the provider to its request. */
export interface RequestSecrets {
  state: string
  nonce: string
  /** The PKCE code verifier. */
  verifier: string
}

/** Claims of the provider about a user. */
export interface ProviderIdentity extends OpenIdSubject {
  email: string | undefined
  isEmailVerified: boolean
}

export interface OpenIdProvider {
  name: string
  /** Builds the authorization URL for the browser. */
  buildLocation(secrets: RequestSecrets): Promise<string>
  /**
   * Exchanges the code of a callback for an identity; refuses claims that the provider has not signed for this request.
   */
  identify(callback: string, secrets: RequestSecrets): Promise<ProviderIdentity>
}

/** The configured provider. It is not contacted before the first sign-in. */
export function newOpenIdProvider(settings: OpenIdSettings, log: Log): OpenIdProvider {
  const { name, redirectUri } = settings
  let known: { configuration: Promise<OpenIdClient.Configuration>; requestedAtMs: number } | undefined

  async function connect(): Promise<OpenIdClient.Configuration> {
    if (known === undefined || Date.now() - known.requestedAtMs > metadataMs) {
      const configuration = discover(settings)
      known = { configuration, requestedAtMs: Date.now() }
    }
    const discovery = known
    try {
      return await discovery.configuration
    } catch (error) {
      if (known === discovery) known = undefined
      log.warn({ issuer: settings.issuer, ...describeError(error) }, 'OpenID provider unavailable')
      throw newProviderUnavailableProblem(name)
    }
  }

  return {
    name,

    async buildLocation({ state, nonce, verifier }) {
      const configuration = await connect()
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = client()
      return buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: redirectUri, scope: 'openid email', state, nonce },
        ...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
      }).href
    },

    async identify(callback, secrets) {
      const configuration = await connect()
      const url = new URL(redirectUri)
      url.search = callback
      try {
        return await exchangeCode(configuration, url, secrets)
      } catch (error) {
        throw refuseAnswer(error)
      }
    }
  }

  function refuseAnswer(error: unknown): Error {
    log.warn({ issuer: settings.issuer, ...describeError(error) }, 'sign-in with the OpenID provider failed')
    const { AuthorizationResponseError, ResponseBodyError } = client()
    if (error instanceof AuthorizationResponseError) {
      return error.error === 'access_denied' ? newSignInCancelledProblem(name) : newResponseRefusedProblem(name)
    }
    const isBadCode = error instanceof ResponseBodyError && error.error === 'invalid_grant'
    return isBadCode || invalidAnswers.has(getCode(error))
      ? newResponseRefusedProblem(name)
      : newProviderUnavailableProblem(name)
  }
}

/** Fetches the provider's metadata for `doctor`: undefined if it is usable, else the reason. */
export async function findProviderFault(settings: OpenIdSettings): Promise<string | undefined> {
  try {
    await discover(settings)
    return undefined
  } catch (error) {
    return Object.values(describeError(error))
      .filter(part => part !== undefined)
      .join('; ')
  }
}

/** Error codes of the library for a response that arrived but is invalid. All others mean that the provider fails. */
const invalidAnswers = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION'
])

async function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<OpenIdClient.Configuration> {
  const { allowInsecureRequests, ClientSecretBasic, ClientSecretPost, discovery, enableNonRepudiationChecks } = client()
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)]
  const configuration = await discovery(
    new URL(issuer),
    clientId,
    {},
    (server, ...rest) => {
      const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
      const isPostOnly = methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
      const authenticate = isPostOnly ? post : basic
      authenticate(server, ...rest)
    },
    {
      timeout: timeoutSeconds,
      // The library trusts TLS for ID tokens that it fetches itself; this makes it verify their signatures as well.
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])]
    }
  )
  // The library accepts Microsoft's multi-tenant issuers, so compare the issuer ourselves.
  const { issuer: actual } = configuration.serverMetadata()
  if (new URL(actual).href !== new URL(issuer).href)
    throw new Error('The issuer in the discovery document differs from OIDC_ISSUER.')
  return configuration
}

async function exchangeCode(
  configuration: OpenIdClient.Configuration,
  url: URL,
  { state, nonce, verifier }: RequestSecrets
): Promise<ProviderIdentity> {
  const { authorizationCodeGrant, fetchUserInfo } = client()
  const tokens = await authorizationCodeGrant(configuration, url, {
    ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('The response has no ID token.')
  const { iss: issuer, sub: subject } = claims
  const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
  const { email, email_verified: isVerified } =
    claims.email === undefined && hasUserInfo
      ? await fetchUserInfo(configuration, tokens.access_token, subject)
      : claims
  return {
    issuer,
    subject,
    email: typeof email === 'string' ? email : undefined,
    isEmailVerified: isVerified === true
  }
}

const getCode = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '')

/**
 * The reason for the log: messages of the library and of Node, and the provider's error only if it is an OAuth code.
 */
function describeError(error: unknown): object {
  const { message, cause, error: word } = error as { message?: unknown; cause?: unknown; error?: unknown }
  const { message: causeMessage, code: causeCode } = (cause ?? {}) as { message?: unknown; code?: unknown }
  return {
    reason: getCode(error) || undefined,
    message: String(message),
    answer: typeof word === 'string' && /^[a-z_]{1,60}$/.test(word) ? word : undefined,
    cause: [causeCode, causeMessage].filter(part => typeof part === 'string' && part !== '').join(' ') || undefined
  }
}
