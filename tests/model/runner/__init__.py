"""What tests/model/run is made of."""
