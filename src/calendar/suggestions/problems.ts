import { Problem } from '#platform/problem.ts'

export const newSuggestionsOffProblem = () =>
  new Problem(403, 'suggestions-are-off', {
    en: 'This site does not accept suggestions for events.',
    de: 'Diese Website nimmt keine Vorschläge für Termine an.'
  })

export const newSuggestionNotFoundProblem = (id: number) =>
  new Problem(404, 'rest-suggestion-not-found', {
    en: `Suggestion with ID ${id} does not exist.`,
    de: `Es gibt keinen Vorschlag mit der Nummer ${id}.`
  })

export const newSuggestionAcceptedProblem = () =>
  new Problem(409, 'suggestion-is-accepted', {
    en: 'This suggestion was already accepted. Edit its event instead.',
    de: 'Dieser Vorschlag ist schon angenommen. Bitte bearbeiten Sie stattdessen den Termin.'
  })

export const newSuggestionDeclinedProblem = () =>
  new Problem(409, 'suggestion-is-declined', {
    en: 'This suggestion was already declined. Restore its event from the trash first.',
    de: 'Dieser Vorschlag ist schon abgelehnt. Bitte stellen Sie zuerst den Termin aus dem Papierkorb wieder her.'
  })

/** An hour: limits of the queue depend on editors, so no exact time is known. */
const retryLater = { headers: { 'retry-after': '3600' } }

export const newTooManyFromSenderProblem = (most: number) =>
  new Problem(
    429,
    'too-many-from-sender',
    {
      en: `${most} suggestions from this email address are already waiting. Wait for the decision.`,
      de: `Von dieser E-Mail-Adresse warten schon ${most} Vorschläge. Bitte warten Sie, bis darüber entschieden ist.`
    },
    retryLater
  )

export const newQueueFullProblem = () =>
  new Problem(
    429,
    'too-many-suggestions',
    {
      en: 'Too many suggestions are waiting at the moment. Try again later.',
      de: 'Im Moment warten zu viele Vorschläge. Bitte versuchen Sie es später noch einmal.'
    },
    retryLater
  )

export const newTooManyFromNetworkProblem = (seconds: number) =>
  new Problem(
    429,
    'too-many-suggestions',
    {
      en: 'Too many suggestions were sent from your network today. Try again tomorrow.',
      de: 'Aus Ihrem Netz kamen heute zu viele Vorschläge. Bitte versuchen Sie es morgen noch einmal.'
    },
    { headers: { 'retry-after': String(seconds) } }
  )
