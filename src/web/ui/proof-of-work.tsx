import type { ProofOfWork as Proof } from '#fundraising/guard/schema.ts'
import { guardWords } from '../text/guard.ts'
import type { Visit } from '../visit.ts'

/** What the organisation asks of browsers before a donation, as of now. */
export async function proofAsked({ api }: Visit): Promise<Proof> {
  return (await api.get<Proof>('/challenge')).body
}

/** The place of the proof in a form: the script `proof-of-work` fills it in while somebody types. */
export function ProofOfWork({ visit, proof }: { visit: Visit; proof: Proof }) {
  if (!proof.required) return null
  const { language, site } = visit
  const words = guardWords[language].proof
  const { working, failed } = words
  return (
    <div class="donate-proof" data-proof={JSON.stringify({ challenge: proof.challenge, working, failed })}>
      <input type="hidden" name="proofOfWork" autocomplete="off" />
      <p class="hint" role="status" />
      <noscript>
        <p class="notice warn">
          {words.noScript} {site.contactEmail === null ? '' : words.contact(site.contactEmail)}
        </p>
      </noscript>
    </div>
  )
}
