/** Where somebody looks after their second factors. */
export const securityPath = '/admin/account/security'

/** What is open to somebody who has to set up a second factor first. */
export const allowedWithoutFactor = /^\/admin\/(?:account|sign-out)(?:[/?]|$)/
