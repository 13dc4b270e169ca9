/*
 * log.h - what the model was asked, for whoever wonders why a program does what it does
 *
 * Written to MODEL_DIRECTORY/log if that file is there: a line for each call, packet and refusal.
 */
#pragma once

#define MODEL_DIRECTORY "/run/kfdmodel"

void log_open(void);
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
