/** Forms that create or use a passkey: `<form data-passkey="create" data-options="…">`. Sets the field `credential`. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) enablePasskey(form)

function enablePasskey(form: HTMLFormElement): void {
  const { passkey, options = '{}', unsupported = '', failed = '' } = form.dataset
  const field = form.querySelector<HTMLInputElement>('input[name="credential"]')
  const message = form.querySelector<HTMLElement>('[role="alert"]')
  if (field === null || message === null) return

  const say = (text: string) => {
    message.textContent = text
    message.hidden = text === ''
  }

  async function ask(isOwnIdea: boolean): Promise<void> {
    if (field === null) return
    if (window.PublicKeyCredential === undefined) {
      say(unsupported)
      return
    }
    say('')
    try {
      const parsed = JSON.parse(options)
      const credential =
        passkey === 'create'
          ? await navigator.credentials.create({ publicKey: toCreationOptions(parsed) })
          : await navigator.credentials.get({ publicKey: toRequestOptions(parsed) })
      if (!(credential instanceof PublicKeyCredential)) throw new Error('Unexpected credential type.')
      field.value = JSON.stringify(toJson(credential))
      form.submit()
    } catch (error) {
      // Some browsers require a click first, and users may dismiss the dialog: the button is still there.
      if (!isOwnIdea) say(failed)
      console.info(error)
    }
  }

  form.addEventListener('submit', event => {
    event.preventDefault()
    void ask(false)
  })
  if (passkey === 'get') void ask(true)
}

interface CredentialDescriptor {
  id: string
  type: 'public-key'
  transports?: AuthenticatorTransport[]
}

/** JSON form: bytes are base64url text. */
interface CreationOptionsJson
  extends Omit<PublicKeyCredentialCreationOptions, 'challenge' | 'user' | 'excludeCredentials'> {
  challenge: string
  user: { id: string; name: string; displayName: string }
  excludeCredentials: CredentialDescriptor[]
}

interface RequestOptionsJson extends Omit<PublicKeyCredentialRequestOptions, 'challenge' | 'allowCredentials'> {
  challenge: string
  allowCredentials: CredentialDescriptor[]
}

function toCreationOptions(options: CreationOptionsJson): PublicKeyCredentialCreationOptions {
  return {
    ...options,
    challenge: toBytes(options.challenge),
    user: { ...options.user, id: toBytes(options.user.id) },
    excludeCredentials: options.excludeCredentials.map(one => ({ ...one, id: toBytes(one.id) }))
  }
}

function toRequestOptions(options: RequestOptionsJson): PublicKeyCredentialRequestOptions {
  return {
    ...options,
    challenge: toBytes(options.challenge),
    allowCredentials: options.allowCredentials.map(one => ({ ...one, id: toBytes(one.id) }))
  }
}

/** Done by hand: not all current browsers have `PublicKeyCredential.toJSON()`. */
function toJson({ id, rawId, type, response }: PublicKeyCredential): object {
  const clientDataJSON = toText(response.clientDataJSON)
  if (response instanceof AuthenticatorAttestationResponse) {
    const transports = response.getTransports?.() ?? []
    return {
      ...{ id, rawId: toText(rawId), type },
      response: { clientDataJSON, attestationObject: toText(response.attestationObject), transports }
    }
  }
  const { authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse
  return {
    ...{ id, rawId: toText(rawId), type },
    response: {
      clientDataJSON,
      authenticatorData: toText(authenticatorData),
      signature: toText(signature),
      userHandle: userHandle === null ? null : toText(userHandle)
    }
  }
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, letter => letter.charCodeAt(0))
}

function toText(bytes: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(bytes), byte => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
