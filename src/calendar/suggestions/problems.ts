import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'

export const newSuggestionsOffProblem = () =>
  new Problem(403, 'suggestions-are-off', buildText('suggestion-problems', 'suggestionsOff'))

export const newSuggestionNotFoundProblem = (id: number) =>
  new Problem(404, 'rest-suggestion-not-found', buildText('suggestion-problems', 'suggestionNotFound', { id }))

export const newSuggestionAcceptedProblem = () =>
  new Problem(409, 'suggestion-is-accepted', buildText('suggestion-problems', 'suggestionAccepted'))

export const newSuggestionDeclinedProblem = () =>
  new Problem(409, 'suggestion-is-declined', buildText('suggestion-problems', 'suggestionDeclined'))

/** An hour: limits of the queue depend on editors, so no exact time is known. */
const retryLater = { headers: { 'retry-after': '3600' } }

export const newTooManyFromSenderProblem = (most: number) =>
  new Problem(429, 'too-many-from-sender', buildText('suggestion-problems', 'tooManyFromSender', { most }), retryLater)

export const newQueueFullProblem = () =>
  new Problem(429, 'too-many-suggestions', buildText('suggestion-problems', 'queueFull'), retryLater)

export const newTooManyFromNetworkProblem = (seconds: number) =>
  new Problem(429, 'too-many-suggestions', buildText('suggestion-problems', 'tooManyFromNetwork'), {
    headers: { 'retry-after': String(seconds) }
  })
