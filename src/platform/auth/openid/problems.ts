import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'

export const newOpenIdNotOfferedProblem = () =>
  new Problem(409, 'openid-not-offered', buildText('auth-problems', 'openIdNotOffered'))

/** The provider is unreachable, responds with errors, or rejects our client: the log has the reason. */
export const newProviderUnavailableProblem = (name: string) =>
  new Problem(503, 'openid-provider-away', buildText('auth-problems', 'providerUnavailable', { name }), {
    headers: { 'retry-after': '30' }
  })

export const newSignInCancelledProblem = (name: string) =>
  new Problem(422, 'openid-cancelled', buildText('auth-problems', 'signInCancelled', { name }))

/** The response does not belong to this request, or the provider has not signed it for this site. */
export const newResponseRefusedProblem = (name: string) =>
  new Problem(401, 'openid-refused', buildText('auth-problems', 'responseRefused', { name }))

export const newNoAccountProblem = () => new Problem(403, 'no-account', buildText('auth-problems', 'noAccount'))

export const newEmailNotVerifiedProblem = (name: string) =>
  new Problem(403, 'email-not-verified', buildText('auth-problems', 'emailNotVerified', { name }))

export const newOtherIdentityProblem = (name: string) =>
  new Problem(409, 'other-identity', buildText('auth-problems', 'otherIdentity', { name }))
