import { accountLinkRoutes } from '../account-links/routes.ts'
import { factorRoutes } from '../factors/routes.ts'
import { invitationRoutes } from '../invitations/routes.ts'
import { keyRoutes } from '../keys/routes.ts'
import { openIdRoutes } from '../openid/routes.ts'
import { passkeyRoutes } from '../passkeys/routes.ts'
import { passwordResetRoutes } from '../password-resets/routes.ts'
import { sessionListRoutes } from '../sessions/list-routes.ts'
import { sessionRoutes } from '../sessions/routes.ts'
import { signInPolicyRoutes } from '../sign-in-policy/routes.ts'
import { userRoutes } from '../users/routes.ts'

/** Who may sign in or send a key, in the order of the document. */
export const accountRoutes = [
  sessionRoutes,
  sessionListRoutes,
  userRoutes,
  factorRoutes,
  passkeyRoutes,
  openIdRoutes,
  signInPolicyRoutes,
  invitationRoutes,
  accountLinkRoutes,
  passwordResetRoutes,
  keyRoutes
]
