import type { ActivityType } from '../http/service.ts'

/** Activity types of the platform itself. None has a public representation, so webhooks only learn that it happened. */
export const platformActivityTypes: Record<string, ActivityType> = {
  user: {
    actions: {
      'user.created': 'Somebody got an account.',
      'user.updated': 'An account was changed.',
      'user.removed': 'An account was removed.',
      'user.factor_added': 'Somebody added a second factor to their account.',
      'user.factor_removed': 'Somebody removed a second factor from their account.',
      'user.factors_removed': 'An admin removed the second factors of somebody who had lost them.',
      'user.factor_renamed': 'Somebody renamed a passkey.',
      'user.passkey_cloned': 'A passkey counted backwards, so that there may be a copy of it: it was refused.',
      'user.recovery_codes_created': 'Somebody got new recovery codes.',
      'user.identity_linked': 'An account was linked with an account at the OpenID provider, by its verified address.',
      'user.identity_unlinked': 'An account was unlinked from the OpenID provider.',
      'user.signed_out': 'An admin ended all sessions of a person.',
      'user.reset_link_made': 'An admin made a link at which a person chooses a new password.',
      'user.password_reset': 'Somebody chose a new password with a reset link.'
    }
  },
  invitation: {
    actions: {
      'invitation.created': 'Somebody was invited.',
      'invitation.renewed': 'An invitation got a new link.',
      'invitation.withdrawn': 'An invitation was withdrawn.'
    },
    invalidates: () => []
  },
  session: {
    actions: {
      'session.started': 'Somebody signed in.',
      'session.ended': 'Somebody signed out, or ended one of their sessions.',
      'session.refused': 'Somebody could not sign in; at most one a minute for an account.',
      'session.others_ended': 'Somebody signed out everywhere else.',
      'session.confirmed': 'Somebody proved their password again, for what needs that.'
    },
    invalidates: () => []
  },
  key: {
    actions: {
      'key.created': 'An API key was made.',
      'key.revoked': 'An API key was revoked, by somebody or because its maker was removed or got fewer rights.',
      'key.handed_over': 'An API key went to another person, because its maker was removed or got fewer rights.'
    },
    invalidates: () => []
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
      'site.sign_in_policy_changed': 'Which roles need a second factor was changed.',
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
      'webhook.switched_off':
        'A webhook was switched off because its receiver was gone or failed for three days, or because its secret was lost.',
      'webhook.deleted': 'A webhook was removed.'
    },
    invalidates: () => []
  }
}

export function listActions(
  subjects: Record<string, ActivityType>
): { action: string; subject: string; description: string }[] {
  return Object.entries(subjects).flatMap(([subject, { actions }]) =>
    Object.entries(actions).map(([action, description]) => ({ action, subject, description }))
  )
}
