/** Page where users manage their second factors. */
export const securityPath = '/admin/account/security'

/** Pages that stay accessible while a required second factor is missing. */
export const allowedWithoutFactor = /^\/admin\/(?:account|sign-out)(?:[/?]|$)/
