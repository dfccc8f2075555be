import { Problem } from '../../problem.ts'

export const newOpenIdNotOfferedProblem = () =>
  new Problem(409, 'openid-not-offered', {
    en: 'Single sign-on is not configured: OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are not set.',
    de: 'Single Sign-on ist nicht eingerichtet: OIDC_ISSUER, OIDC_CLIENT_ID und OIDC_CLIENT_SECRET sind nicht gesetzt.'
  })

/** The provider is unreachable, responds with errors, or rejects our client: the log has the reason. */
export const newProviderUnavailableProblem = (name: string) =>
  new Problem(
    503,
    'openid-provider-away',
    {
      en: `Signing in with ${name} does not work at the moment. Sign in with your password instead, or try again later.`,
      de: `Die Anmeldung mit ${name} ist gerade nicht möglich. Bitte melden Sie sich mit dem Passwort an oder versuchen Sie es später noch einmal.`
    },
    { headers: { 'retry-after': '30' } }
  )

export const newSignInCancelledProblem = (name: string) =>
  new Problem(422, 'openid-cancelled', {
    en: `The sign-in with ${name} was cancelled.`,
    de: `Die Anmeldung mit ${name} wurde abgebrochen.`
  })

/** The response does not belong to this request, or the provider has not signed it for this site. */
export const newResponseRefusedProblem = (name: string) =>
  new Problem(401, 'openid-refused', {
    en: `The response of ${name} is not valid for this sign-in. Please sign in again.`,
    de: `Die Antwort von ${name} gilt für diese Anmeldung nicht. Bitte melden Sie sich noch einmal an.`
  })

export const newNoAccountProblem = () =>
  new Problem(403, 'no-account', {
    en: 'There is no user account for this email address. Ask an admin to invite you.',
    de: 'Für diese E-Mail-Adresse gibt es keinen Zugang. Bitte lassen Sie sich von der Administration einladen.'
  })

export const newEmailNotVerifiedProblem = (name: string) =>
  new Problem(403, 'email-not-verified', {
    en: `${name} has not verified your email address, so your user account cannot be matched. Verify the address there, or sign in with your password.`,
    de: `${name} hat Ihre E-Mail-Adresse nicht bestätigt, deshalb kann Ihr Zugang nicht zugeordnet werden. Bitte bestätigen Sie die Adresse dort oder melden Sie sich mit dem Passwort an.`
  })

export const newOtherIdentityProblem = (name: string) =>
  new Problem(409, 'other-identity', {
    en: `Your user account is linked to another account at ${name}. Sign in with your password and unlink it, or ask an admin to.`,
    de: `Ihr Zugang hier ist mit einem anderen Konto bei ${name} verknüpft. Bitte melden Sie sich mit dem Passwort an und lösen Sie diese Verknüpfung, oder bitten Sie die Administration darum.`
  })
