import { registerAccountLinkRoutes } from './account-link-routes.ts'
import { registerInvitationRoutes } from './invitations/routes.ts'
import { registerKeyRoutes } from './keys/routes.ts'
import { registerOpenIdRoutes } from './openid/routes.ts'
import { registerPasskeyRoutes } from './passkeys/routes.ts'
import { registerPasswordResetRoutes } from './password-resets/routes.ts'
import { registerSignInPolicyRoutes } from './second-factor/policy-routes.ts'
import { registerFactorRoutes } from './second-factor/routes.ts'
import { registerSessionListRoutes } from './sessions/list-routes.ts'
import { registerSessionRoutes } from './sessions/routes.ts'
import { registerUserRoutes } from './user-management/routes.ts'

/** Routes for accounts and keys, in the order of the OpenAPI document. */
export const accountRoutes = [
  registerSessionRoutes,
  registerSessionListRoutes,
  registerUserRoutes,
  registerFactorRoutes,
  registerPasskeyRoutes,
  registerOpenIdRoutes,
  registerSignInPolicyRoutes,
  registerInvitationRoutes,
  registerAccountLinkRoutes,
  registerPasswordResetRoutes,
  registerKeyRoutes
]
