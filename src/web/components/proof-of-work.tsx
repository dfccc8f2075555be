import { getMessages } from '#platform/messages/messages.ts'
import type { ProofOfWork as Proof } from '#platform/proof-of-work/schema.ts'
import type { PageContext } from '../server/context.ts'
import { UnrestoredInput } from './unrestored-input.tsx'

/** Current proof-of-work challenge, if the form requires one. */
export async function fetchProof({ api }: PageContext, path: string): Promise<Proof> {
  return (await api.get<Proof>(path)).body
}

/** Form field for the proof: the island `proof-of-work` fills it in while the visitor types. */
export function ProofOfWork({
  context,
  proof,
  path,
  texts
}: {
  context: PageContext
  proof: Proof
  /** Where the island gets another challenge when this one has expired. */
  path: string
  /** What to do instead. */
  texts: { failed: string; noScript: string }
}) {
  if (!proof.required) return null
  const { language, site } = context
  const { working, contact } = getMessages('abuse-protection', language).proof
  return (
    <div
      class="donate-proof"
      data-proof={JSON.stringify({ challenge: proof.challenge, path, working, failed: texts.failed })}
    >
      <UnrestoredInput name="proofOfWork" />
      <p class="hint" role="status" />
      <noscript>
        <p class="notice warn">
          {texts.noScript} {site.contactEmail === null ? '' : contact({ email: site.contactEmail })}
        </p>
      </noscript>
    </div>
  )
}
