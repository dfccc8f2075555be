import type { SettingReader } from './setting-reader.ts'
import { issuerRule, parseIssuerUrl, parseLine } from './setting-values.ts'

/** A client of an OpenID provider, as it is registered there. */
export interface OpenIdSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** Display name of the provider. */
  name: string
  /** Where the provider redirects browsers to. */
  redirectUri: string
}

/** The page that the provider redirects to. */
export const openIdReturnPath = '/admin/sign-in/openid/return'

/** All of issuer, client and secret, or none of them. */
export function readOpenIdSettings(
  { read, isSet, refuse }: SettingReader,
  publicUrl: string | undefined
): OpenIdSettings | undefined {
  const issuer = read('OIDC_ISSUER', undefined, parseIssuerUrl, issuerRule)
  const clientId = read('OIDC_CLIENT_ID', undefined, given => given, '')
  const clientSecret = read('OIDC_CLIENT_SECRET', undefined, given => given, '')
  const name = read('OIDC_NAME', undefined, parseLine, 'must be one line of at most 60 characters.')
  const required = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']
  if (![...required, 'OIDC_NAME'].some(isSet)) return undefined
  for (const missing of required.filter(setting => !isSet(setting))) {
    refuse(`${missing}: required for single sign-on, with ${required.filter(one => one !== missing).join(' and ')}.`)
  }
  if (!isSet('PUBLIC_URL')) refuse('PUBLIC_URL: required with OIDC_ISSUER, for the redirect URI.')
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  const redirectUri = `${publicUrl ?? ''}${openIdReturnPath}`
  return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).host, redirectUri }
}
