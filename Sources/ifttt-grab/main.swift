import GrabID

print(GrabEnvironment.production.discoveryURL)
