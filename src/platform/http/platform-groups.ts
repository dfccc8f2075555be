import type { RouteGroup } from './openapi.ts'

/** The groups of the operations that belong to no service, in the OpenAPI document and in the reference. */
export const platformGroups: RouteGroup[] = [
  {
    name: 'Site',
    description: 'Name, pages, appearance and settings of this site, its first start, and sample content.',
    paths: /^\/(?:site(?:\/appearance)?|pages(?:\/\{id\})?|setup|sample-content|samples)$/
  },
  {
    name: 'Second factors',
    description: 'Authenticator apps, passkeys and recovery codes, and which roles need one.',
    paths: /^\/(?:sign-in-policy|users\/me\/(?:totp|recovery-codes|passkeys)|users\/(?:me|\{id\})\/factors)/
  },
  {
    name: 'Sign-in',
    description: 'Sessions, with password, passkey or single sign-on.',
    paths: /^\/(?:sessions|users\/me\/identities|users\/\{id\}\/(?:sessions|identities))/
  },
  {
    name: 'Users',
    description:
      'User accounts, invitations and password resets. Operations on your own user account need a session token instead of an API key.',
    paths: /^\/(?:users|invitations|account-links|password-resets)/
  },
  {
    name: 'Webhooks and stream',
    description: 'Webhooks and server-sent events.',
    paths: /^\/(?:webhooks|actions|stream)/
  },
  { name: 'Keys and activity', description: 'API keys and the activity log.', paths: /^\/(?:keys|activity)/ },
  {
    name: 'Backups',
    description: 'Backups on the server: create, download, upload and restore them.',
    paths: /^\/backups/
  },
  {
    name: 'Operation',
    description: 'Health checks, metrics, the version of the program and the OpenAPI documents.',
    paths: /^\/(?:health|livez|readyz|metrics|release|openapi)/
  }
]
