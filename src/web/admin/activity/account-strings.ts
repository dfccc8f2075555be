import type { Language } from '#platform/language.ts'

type Sentence = (who: string, name: string) => string

/** Texts of the activity log for stories and offline amounts, and for account changes that a second person confirms. */
export const accountActivityStrings: Record<
  Language,
  { verbs: Record<string, string>; special: Record<string, Sentence> }
> = {
  en: {
    verbs: {
      story_updated: 'story changed',
      offline_amount_added: 'offline amount added',
      offline_amount_removed: 'offline amount deleted',
      'account_request.created': 'requested',
      'account_request.confirmed': 'confirmed',
      'account_request.rejected': 'rejected',
      'account_request.withdrawn': 'withdrawn',
      'account_request.expired': 'expired'
    },
    special: {
      'site.account_changed': who => `${who} changed the account for new campaigns`,
      'campaign.story_updated': (who, name) => `${who} updated the story of the campaign ${name}`,
      'campaign.offline_amount_added': (who, name) => `${who} added an offline amount to the campaign ${name}`,
      'campaign.offline_amount_removed': (who, name) => `${who} deleted an offline amount of the campaign ${name}`,
      'campaign.account_changed': (who, name) => `${who} changed the account of the campaign ${name}`,
      'account_request.created': (who, name) => `${who} requested a change of the account of ${name}`,
      'account_request.confirmed': (who, name) => `${who} confirmed a change of the account of ${name}`,
      'account_request.rejected': (who, name) => `${who} rejected a change of the account of ${name}`,
      'account_request.withdrawn': (who, name) => `${who} withdrew the request to change the account of ${name}`,
      'account_request.expired': (_, name) => `The request to change the account of ${name} has expired`
    }
  },
  de: {
    verbs: {
      story_updated: 'Geschichte geändert',
      offline_amount_added: 'offline gesammelter Betrag hinzugefügt',
      offline_amount_removed: 'offline gesammelter Betrag gelöscht',
      'account_request.created': 'beantragt',
      'account_request.confirmed': 'bestätigt',
      'account_request.rejected': 'abgelehnt',
      'account_request.withdrawn': 'zurückgezogen',
      'account_request.expired': 'abgelaufen'
    },
    special: {
      'site.account_changed': who => `${who} hat das Konto für neue Spendenaktionen geändert`,
      'campaign.story_updated': (who, name) => `${who} hat die Geschichte der Spendenaktion ${name} geändert`,
      'campaign.offline_amount_added': (who, name) =>
        `${who} hat der Spendenaktion ${name} einen offline gesammelten Betrag hinzugefügt`,
      'campaign.offline_amount_removed': (who, name) =>
        `${who} hat einen offline gesammelten Betrag der Spendenaktion ${name} gelöscht`,
      'campaign.account_changed': (who, name) => `${who} hat das Konto der Spendenaktion ${name} geändert`,
      'account_request.created': (who, name) => `${who} hat eine Änderung des Kontos von ${name} beantragt`,
      'account_request.confirmed': (who, name) => `${who} hat eine Änderung des Kontos von ${name} bestätigt`,
      'account_request.rejected': (who, name) => `${who} hat eine Änderung des Kontos von ${name} abgelehnt`,
      'account_request.withdrawn': (who, name) =>
        `${who} hat den Antrag zurückgezogen, das Konto von ${name} zu ändern`,
      'account_request.expired': (_, name) => `Der Antrag, das Konto von ${name} zu ändern, ist abgelaufen`
    }
  }
}
