import { Problem } from '#platform/problem.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'

export const newSubscriptionNotFoundProblem = (id: number) =>
  new Problem(404, 'rest-subscription-not-found', {
    en: `Subscription with ID ${id} does not exist.`,
    de: `Es gibt keinen abonnierten Kalender mit der Nummer ${id}.`
  })

export const newAlreadySubscribedProblem = () =>
  new Problem(409, 'subscription-exists', {
    en: 'This URL is already subscribed.',
    de: 'Diese URL ist schon abonniert.'
  })

export const newTooManySubscriptionsProblem = (most: number) =>
  new Problem(409, 'too-many-subscriptions', {
    en: `There may be at most ${most} subscriptions.`,
    de: `Es darf höchstens ${most} abonnierte Kalender geben.`
  })

export const newOwnAddressProblem = () =>
  newInvalidParamProblem('url', 'own-address', {
    en: 'must not be a URL of this site itself',
    de: 'darf keine URL dieser Website selbst sein'
  })

export const newUnknownCategoryProblem = () =>
  newInvalidParamProblem('category', 'unknown', {
    en: 'must be the id of a category',
    de: 'muss die Nummer einer Kategorie sein'
  })

export const newNothingToApplyProblem = () =>
  new Problem(409, 'subscription-not-stopped', {
    en: 'The subscription is not waiting for a decision.',
    de: 'Der abonnierte Kalender wartet auf keine Entscheidung.'
  })

export const newPausedProblem = () =>
  new Problem(409, 'subscription-paused', {
    en: 'The subscription is paused. Resume it first.',
    de: 'Der abonnierte Kalender ist angehalten. Bitte zuerst fortsetzen.'
  })

export const newNoConflictProblem = () =>
  new Problem(409, 'subscription-no-conflict', {
    en: 'The event has no conflict with its source.',
    de: 'Der Termin hat keinen Konflikt mit seiner Quelle.'
  })
