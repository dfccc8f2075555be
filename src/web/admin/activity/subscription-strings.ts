import type { Language } from '#platform/language.ts'

/** What happened to subscriptions. */
const en = {
  verbs: {
    refreshed: 'read',
    stopped: 'not applied',
    approved: 'applied anyway',
    resolved: 'conflict resolved',
    paused: 'paused'
  } as Record<string, string>,
  special: {
    'subscription.created': (who: string, name: string) => `${who} subscribed to the calendar ${name}`,
    'subscription.updated': (who: string, name: string) => `${who} changed the subscription ${name}`,
    'subscription.deleted': (who: string, name: string) => `${who} deleted the subscription ${name}`,
    'subscription.refreshed': (_: string, name: string) => `The subscribed calendar ${name} has changed`,
    'subscription.stopped': (_: string, name: string) =>
      `The subscribed calendar ${name} looked damaged and was not applied`,
    'subscription.approved': (who: string, name: string) => `${who} had the subscribed calendar ${name} applied`,
    'subscription.resolved': (who: string, name: string) => `${who} resolved a conflict with the subscription ${name}`,
    'subscription.paused': (_: string, name: string) =>
      `The subscribed calendar ${name} failed for seven days and was paused`
  } as Record<string, (who: string, name: string, status: string) => string>
}

const de: typeof en = {
  verbs: {
    refreshed: 'gelesen',
    stopped: 'nicht übernommen',
    approved: 'trotzdem übernommen',
    resolved: 'Widerspruch gelöst',
    paused: 'angehalten'
  },
  special: {
    'subscription.created': (who, name) => `${who} hat den Kalender ${name} abonniert`,
    'subscription.updated': (who, name) => `${who} hat den abonnierten Kalender ${name} geändert`,
    'subscription.deleted': (who, name) => `${who} hat das Abo des Kalenders ${name} gelöscht`,
    'subscription.refreshed': (_, name) => `Der abonnierte Kalender ${name} hat sich geändert`,
    'subscription.stopped': (_, name) =>
      `Der abonnierte Kalender ${name} sah beschädigt aus und wurde nicht übernommen`,
    'subscription.approved': (who, name) => `${who} hat den abonnierten Kalender ${name} übernehmen lassen`,
    'subscription.resolved': (who, name) => `${who} hat einen Widerspruch mit dem abonnierten Kalender ${name} gelöst`,
    'subscription.paused': (_, name) => `Der abonnierte Kalender ${name} wurde nach sieben Tagen mit Fehlern angehalten`
  }
}

export const subscriptionActivityStrings: Record<Language, typeof en> = { en, de }
