#!/usr/bin/env python3
"""Minute bars of an index future (ES) and of the VIX that nobody traded, in one CSV file.

usage: make_data.py FILE [DAYS [SEED]]

Prices are multiples of 0.25, most volume is traded early and late in the day, the VIX
rises when the future falls. The price is drawn a little towards the price at which most
was traded on the day before, so that there is something to learn.
"""
import collections
import csv
import datetime
import math
import random
import sys

MINUTES = 390  # of a trading day, 9:30 to 16:00
TICK = 0.25
COLUMNS = ("time", "es_open", "es_high", "es_low", "es_close", "es_volume",
           "vix_open", "vix_high", "vix_low", "vix_close")


def make_bar(chance, price, vix, vpoc):
    """One minute of both: a walk of ten steps."""
    es, fear = [price], [vix]
    for _ in range(10):
        step = 0.001 * (vpoc - es[-1]) + chance.gauss(0, 0.025 * fear[-1])
        es.append(round((es[-1] + step) / TICK) * TICK)
        fear.append(max(9, fear[-1] + 0.0005 * (17 - fear[-1]) - 0.01 * (es[-1] - es[-2]) + chance.gauss(0, 0.01)))
    return es, fear


def make_day(chance, price, vix, vpoc, start, write):
    traded = collections.Counter()
    for minute in range(MINUTES):
        es, fear = make_bar(chance, price, vix, vpoc)
        price, vix = es[-1], fear[-1]
        volume = int(chance.lognormvariate(0, 0.4) * (900 + 2500 * math.cos(math.pi * minute / MINUTES) ** 4))
        traded[price] += volume
        write([start + datetime.timedelta(minutes=minute), es[0], max(es), min(es), price, volume,
               *(f"{value:.2f}" for value in (fear[0], max(fear), min(fear), vix))])
    return price, vix, traded.most_common(1)[0][0]


def main(path, days="81", seed="7"):
    chance = random.Random(int(seed))
    price, vix, vpoc = 5000.0, 16.0, 5000.0
    day = datetime.datetime(2024, 1, 2, 9, 30)
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(COLUMNS)
        for _ in range(int(days)):
            price, vix, vpoc = make_day(chance, price, vix, vpoc, day, rows.writerow)
            day += datetime.timedelta(days=3 if day.weekday() == 4 else 1)


main(*sys.argv[1:])
