// Contains nothing: Package.swift tells why it exists.
