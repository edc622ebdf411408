"""Files read and written safely: regular ones only, whole or not at all."""
