"""What a run shall do: a config from a YAML file and the command line, checked."""
