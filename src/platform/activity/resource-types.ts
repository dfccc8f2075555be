import type { ActivityType } from '../http/service.ts'

/** Activity types of the platform itself. None has a public representation, so webhooks only learn that it happened. */
export const platformActivityTypes: Record<string, ActivityType> = {
  user: {
    actions: {
      'user.created': 'A user was created.',
      'user.updated': 'A user was updated.',
      'user.removed': 'A user was deleted.',
      'user.factor_added': 'A user added a second factor.',
      'user.factor_removed': 'A user removed a second factor.',
      'user.factors_removed': 'An admin removed all second factors of a user.',
      'user.factor_renamed': 'A user renamed a passkey.',
      'user.passkey_cloned':
        'A passkey was rejected because its signature counter went backwards; it may have been cloned.',
      'user.recovery_codes_created': 'A user created new recovery codes.',
      'user.identity_linked': 'A user was linked to an account at the OpenID provider by the verified email address.',
      'user.identity_unlinked': 'A user was unlinked from the OpenID provider.',
      'user.signed_out': 'An admin ended all sessions of a user.',
      'user.reset_link_made': 'An admin created a password reset link for a user.',
      'user.password_reset': 'A user set a new password with a reset link.'
    }
  },
  invitation: {
    actions: {
      'invitation.created': 'An invitation was created.',
      'invitation.renewed': 'An invitation got a new link.',
      'invitation.withdrawn': 'An invitation was withdrawn.'
    },
    invalidates: () => []
  },
  session: {
    actions: {
      'session.started': 'A user signed in.',
      'session.ended': 'A user signed out or ended one of their sessions.',
      'session.refused': 'A sign-in failed; recorded at most once a minute per account.',
      'session.others_ended': 'A user ended all their other sessions.',
      'session.confirmed': 'A user re-authenticated with the password.'
    },
    invalidates: () => []
  },
  key: {
    actions: {
      'key.created': 'An API key was created.',
      'key.revoked': 'An API key was revoked, manually or because its creator was deleted or got a lower role.',
      'key.handed_over':
        'An API key was handed over to another user, because its creator was deleted or got a lower role.'
    },
    invalidates: () => []
  },
  backup: {
    actions: {
      'backup.taken': 'A backup was created.',
      'backup.failed': 'A scheduled backup failed; the details have the reason. It is tried again after an hour.',
      'backup.restored': 'A backup was restored.'
    }
  },
  activity: {
    actions: { 'activity.deleted': 'Records of the activity log were deleted after their retention period.' },
    invalidates: () => []
  },
  site: {
    actions: {
      'site.changed': 'The site settings were updated.',
      'site.sign_in_policy_changed': 'The second-factor policy was updated.',
      'site.account_changed': 'The default account of new campaigns was changed.'
    }
  },
  page: {
    actions: {
      'page.created': 'A page was created.',
      'page.updated': 'A page was updated.',
      'page.deleted': 'A page was deleted.'
    },
    invalidates: () => ['site']
  },
  samples: {
    actions: { 'samples.removed': 'Sample content was deleted permanently; the details have the counts by kind.' }
  },
  webhook: {
    actions: {
      'webhook.created': 'A webhook was created.',
      'webhook.updated': 'A webhook was updated, enabled or disabled manually.',
      'webhook.secret_changed': 'The signing secret of a webhook was rotated.',
      'webhook.tested': 'A test message was sent to a webhook.',
      'webhook.redelivered': 'A delivery was redelivered.',
      'webhook.switched_off':
        'A webhook was switched off because its receiver was gone or failed for three days, or because its secret was lost.',
      'webhook.deleted': 'A webhook was deleted.'
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
