import { type Static, Type } from 'typebox'
import { getBankName } from '#platform/banking/banks.ts'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { isValidIban } from './iban.ts'

export const Account = NamedObject('Account', {
  iban: Type.String(),
  name: Type.String({ description: 'Account holder.' }),
  nameOfBank: Type.String(),
  ibanValid: Type.Boolean({ description: 'Whether check digits and length are valid for the country.' })
})
export type Account = Static<typeof Account>

const iban = Type.String({
  iban: true,
  maxLength: 60,
  description: 'IBAN; spaces and lower case are accepted.',
  examples: ['DE89370400440532013000']
})
const holder = Type.String({ line: true, minLength: 1, maxLength: 140, description: 'Account holder.' })
const bank = Type.Optional(Nullable(Type.String({ line: true, maxLength: 140 })))

export const NewAccount = NamedObject('NewAccount', { iban, name: holder, nameOfBank: bank })
export type NewAccount = Static<typeof NewAccount>

/** The donor holds the account unless another holder is named. */
export const NewDonorAccount = NamedObject('NewDonorAccount', { iban, name: Type.Optional(holder), nameOfBank: bank })
export type NewDonorAccount = Static<typeof NewDonorAccount>

export function newAccount(input: NewDonorAccount, holderByDefault: string): Account {
  return {
    iban: input.iban,
    name: input.name ?? holderByDefault,
    nameOfBank: getBankName(input.iban, input.nameOfBank),
    ibanValid: isValidIban(input.iban)
  }
}
