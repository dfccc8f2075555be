import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'

export const newSubscriptionNotFoundProblem = (id: number) =>
  new Problem(404, 'rest-subscription-not-found', buildText('subscription-problems', 'subscriptionNotFound', { id }))

export const newAlreadySubscribedProblem = () =>
  new Problem(409, 'subscription-exists', buildText('subscription-problems', 'alreadySubscribed'))

export const newTooManySubscriptionsProblem = (most: number) =>
  new Problem(409, 'too-many-subscriptions', buildText('subscription-problems', 'tooManySubscriptions', { most }))

export const newOwnAddressProblem = () =>
  newInvalidParamProblem('url', 'own-address', buildText('subscription-problems', 'ownAddress'))

export const newUnknownCategoryProblem = () =>
  newInvalidParamProblem('category', 'unknown', buildText('subscription-problems', 'unknownCategory'))

export const newNothingToApplyProblem = () =>
  new Problem(409, 'subscription-not-stopped', buildText('subscription-problems', 'nothingToApply'))

export const newPausedProblem = () =>
  new Problem(409, 'subscription-paused', buildText('subscription-problems', 'paused'))

export const newNoConflictProblem = () =>
  new Problem(409, 'subscription-no-conflict', buildText('subscription-problems', 'noConflict'))
