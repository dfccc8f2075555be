import type { ProofOfWork as Proof } from '#fundraising/donations/abuse-protection/schema.ts'
import type { PageContext } from '../server/context.ts'
import { abuseProtectionStrings } from '../strings/abuse-protection.ts'

/** Current proof-of-work challenge, if the organisation requires one. */
export async function fetchProof({ api }: PageContext): Promise<Proof> {
  return (await api.get<Proof>('/challenge')).body
}

/** Form field for the proof: the island `proof-of-work` fills it in while the visitor types. */
export function ProofOfWork({ context, proof }: { context: PageContext; proof: Proof }) {
  if (!proof.required) return null
  const { language, site } = context
  const strings = abuseProtectionStrings[language].proof
  const { working, failed } = strings
  return (
    <div class="donate-proof" data-proof={JSON.stringify({ challenge: proof.challenge, working, failed })}>
      <input type="hidden" name="proofOfWork" autocomplete="off" />
      <p class="hint" role="status" />
      <noscript>
        <p class="notice warn">
          {strings.noScript} {site.contactEmail === null ? '' : strings.contact(site.contactEmail)}
        </p>
      </noscript>
    </div>
  )
}
