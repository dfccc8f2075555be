import type { RouteGroup } from './openapi.ts'

/** The groups of the operations that belong to no service, in the OpenAPI document and in the reference. */
export const platformGroups: RouteGroup[] = [
  {
    name: 'Site',
    description: 'Name, texts and settings of this site, its first start, and sample content.',
    paths: /^\/(?:site|setup|sample-content|samples)$/
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
    name: 'People',
    description:
      'Accounts, invitations and new passwords. Operations on the own account take the token of a session in place of a key.',
    paths: /^\/(?:users|invitations|account-links|password-resets)/
  },
  {
    name: 'Webhooks and stream',
    description: 'Being told of what happens: by messages, or while listening.',
    paths: /^\/(?:webhooks|actions|stream)/
  },
  { name: 'Keys and activity', description: 'Keys for programs, and what happened.', paths: /^\/(?:keys|activity)/ },
  {
    name: 'Operation',
    description: 'Health, metrics and the OpenAPI documents, for those who run the site.',
    paths: /^\/(?:health|livez|readyz|metrics|openapi)/
  }
]
