#include "explain/failure-tables.h"

#include <assert.h>

#include "explain/origin.h"

extern const char data_marks[], data_symptoms[], data_symptom_closings[], data_proofs[];

const struct failure_tables *failure_tables_get(struct failure_tables *t)
{
	if (!t->marks)
		t->marks = marks_new(span_of(data_marks), NULL);
	if (!t->closings)
		t->closings = marks_new(span_of(data_symptom_closings), NULL);
	if (!t->origins)
		t->origins = origin_table();
	if (!t->proofs)
		t->proofs = marks_new(span_of(data_proofs), NULL);
	if (!t->symptoms)
		t->symptoms = symptom_words_new(span_of(data_symptoms), NULL);
	assert(t->marks && t->closings && t->origins && t->proofs && t->symptoms);
	return t;
}

void failure_tables_done(struct failure_tables *t)
{
	marks_free(t->marks);
	marks_free(t->closings);
	marks_free(t->origins);
	marks_free(t->proofs);
	symptom_words_free(t->symptoms);
	*t = (struct failure_tables){ 0 };
}
