import type { Language } from '#platform/language.ts'

type Sentence = (who: string, name: string) => string

/** Texts of the activity log for accounts and sign-in methods. */
export const signInActivityStrings: Record<
  Language,
  { verbs: Record<string, string>; special: Record<string, Sentence> }
> = {
  en: {
    verbs: {
      others_ended: 'signed out everywhere else',
      confirmed: 'password confirmed again',
      signed_out: 'signed out everywhere',
      renewed: 'new link',
      reset_link_made: 'reset link created',
      password_reset: 'password reset',
      factor_added: 'second factor added',
      factor_removed: 'second factor removed',
      factors_removed: 'second factors removed',
      sign_in_policy_changed: 'sign-in rules changed',
      factor_renamed: 'passkey renamed',
      passkey_cloned: 'copied passkey refused',
      recovery_codes_created: 'new recovery codes',
      identity_linked: 'linked for single sign-on',
      identity_unlinked: 'unlinked from single sign-on'
    },
    special: {
      'invitation.created': (who, name) => `${who} invited ${name}`,
      'invitation.renewed': (who, name) => `${who} created a new link for the invitation of ${name}`,
      'invitation.withdrawn': (who, name) => `${who} withdrew the invitation of ${name}`,
      'user.reset_link_made': (who, name) => `${who} created a link to reset the password of ${name}`,
      'user.password_reset': who => `${who} chose a new password with a reset link`,
      'session.started': who => `${who} signed in`,
      'session.ended': who => `${who} signed out`,
      'session.refused': (_, id) =>
        id === 'unknown' ? 'Sign-in failed: unknown user account' : `Sign-in failed: user account ${id}`,
      'session.others_ended': who => `${who} signed out everywhere else`,
      'session.confirmed': who => `${who} confirmed the password again`,
      'user.signed_out': (who, name) => `${who} signed ${name} out everywhere`,
      'user.factor_added': who => `${who} added a second factor`,
      'user.factor_removed': who => `${who} removed a second factor`,
      'user.factors_removed': (who, name) => `${who} removed the second factors of ${name}`,
      'site.sign_in_policy_changed': who => `${who} changed who needs a second factor`,
      'user.factor_renamed': who => `${who} renamed a passkey`,
      'user.passkey_cloned': who => `A possible copy of a passkey of ${who} was refused`,
      'user.recovery_codes_created': who => `${who} got new recovery codes`,
      'user.identity_linked': (_, name) => `The user account of ${name} was linked for single sign-on`,
      'user.identity_unlinked': (who, name) => `${who} unlinked the user account of ${name} from single sign-on`
    }
  },
  de: {
    verbs: {
      others_ended: 'überall sonst abgemeldet',
      confirmed: 'Passwort bestätigt',
      signed_out: 'überall abgemeldet',
      renewed: 'neuer Link',
      reset_link_made: 'Link zum Zurücksetzen erstellt',
      password_reset: 'Passwort zurückgesetzt',
      factor_added: 'zweiter Faktor eingerichtet',
      factor_removed: 'zweiter Faktor entfernt',
      factors_removed: 'zweite Faktoren entfernt',
      sign_in_policy_changed: 'Anmelderegeln geändert',
      factor_renamed: 'Passkey umbenannt',
      passkey_cloned: 'kopierter Passkey abgelehnt',
      recovery_codes_created: 'neue Wiederherstellungscodes',
      identity_linked: 'für Single Sign-on verknüpft',
      identity_unlinked: 'Single Sign-on gelöst'
    },
    special: {
      'invitation.created': (who, name) => `${who} hat ${name} eingeladen`,
      'invitation.renewed': (who, name) => `${who} hat für die Einladung von ${name} einen neuen Link erstellt`,
      'invitation.withdrawn': (who, name) => `${who} hat die Einladung von ${name} zurückgezogen`,
      'user.reset_link_made': (who, name) =>
        `${who} hat einen Link zum Zurücksetzen des Passworts von ${name} erstellt`,
      'user.password_reset': who => `${who} hat über einen Link ein neues Passwort gewählt`,
      'session.started': who => `${who} hat sich angemeldet`,
      'session.ended': who => `${who} hat sich abgemeldet`,
      'session.refused': (_, id) =>
        id === 'unknown' ? 'Anmeldung fehlgeschlagen: unbekannter Zugang' : `Anmeldung fehlgeschlagen: Zugang ${id}`,
      'session.others_ended': who => `${who} hat sich überall sonst abgemeldet`,
      'session.confirmed': who => `${who} hat das Passwort noch einmal bestätigt`,
      'user.signed_out': (who, name) => `${who} hat ${name} überall abgemeldet`,
      'user.factor_added': who => `${who} hat einen zweiten Faktor eingerichtet`,
      'user.factor_removed': who => `${who} hat einen zweiten Faktor entfernt`,
      'user.factors_removed': (who, name) => `${who} hat die zweiten Faktoren von ${name} entfernt`,
      'site.sign_in_policy_changed': who => `${who} hat geändert, wer einen zweiten Faktor braucht`,
      'user.factor_renamed': who => `${who} hat einen Passkey umbenannt`,
      'user.passkey_cloned': who => `Eine mögliche Kopie eines Passkeys von ${who} wurde abgelehnt`,
      'user.recovery_codes_created': who => `${who} hat neue Wiederherstellungscodes angefordert`,
      'user.identity_linked': (_, name) => `Der Zugang von ${name} wurde für Single Sign-on verknüpft`,
      'user.identity_unlinked': (who, name) => `${who} hat das Single Sign-on des Zugangs von ${name} gelöst`
    }
  }
}
