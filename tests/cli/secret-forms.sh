#!/usr/bin/env bash
# Secrets in a hundred forms, planted wherever something leaves a machine, are gone from all that is
# made to be handed on; lines that only resemble them come back as they were. On failure a table says
# which form survived where. The forms: tests/secrets/.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
check "no form survives, nothing harmless is lost" python3 "$SOURCE/tests/secrets/plant.py" "$ROCSTEADY" "$SOURCE/tests/secrets" "$WORK"
page=$SOURCE/docs/secret-forms.md
if [ -n "${ROCSTEADY_TEST_UPDATE:-}" ]; then
	{ sed '/^| form /,$d' "$page" && cat "$WORK/forms.md"; } >"$WORK/page.md" && cp "$WORK/page.md" "$page"
fi
sed -n '/^| form /,$p' "$page" >"$WORK/told.md"
check "docs/secret-forms.md has today's table; ROCSTEADY_TEST_UPDATE=1 writes it" cmp "$WORK/told.md" "$WORK/forms.md"
finish
