import type { Subject } from './service.ts'

/** What happens to what the platform looks after. None of it is public, so that others are only told that it happened. */
export const platformSubjects: Record<string, Subject> = {
  user: {
    actions: {
      'user.created': 'Somebody got an account.',
      'user.updated': 'An account was changed.',
      'user.removed': 'An account was removed.'
    }
  },
  session: {
    actions: {
      'session.started': 'Somebody signed in.',
      'session.ended': 'Somebody signed out.'
    },
    touches: () => []
  },
  key: {
    actions: {
      'key.created': 'An API key was made.',
      'key.revoked': 'An API key was revoked.'
    },
    touches: () => []
  },
  backup: {
    actions: {
      'backup.taken': 'A backup was taken.',
      'backup.restored': 'A backup was restored.'
    }
  },
  site: {
    actions: {
      'site.changed': 'The settings of the site were changed.',
      'site.account_changed': 'The account that new campaigns begin with was changed.'
    }
  },
  samples: {
    actions: { 'samples.removed': 'Sample content was removed permanently; the details say how much of each kind.' }
  },
  webhook: {
    actions: {
      'webhook.created': 'A webhook was made.',
      'webhook.updated': 'A webhook was changed, or switched on or off by somebody.',
      'webhook.secret_changed': 'A webhook got a new secret.',
      'webhook.tested': 'Somebody had a test sent to a webhook.',
      'webhook.redelivered': 'Somebody had a delivery sent again.',
      'webhook.switched_off': 'A webhook was switched off because its receiver was gone or failed for three days.',
      'webhook.deleted': 'A webhook was removed.'
    },
    touches: () => []
  }
}

/** Everything that can happen, in one list. */
export function actionsOf(
  subjects: Record<string, Subject>
): { action: string; subject: string; description: string }[] {
  return Object.entries(subjects).flatMap(([subject, { actions }]) =>
    Object.entries(actions).map(([action, description]) => ({ action, subject, description }))
  )
}
