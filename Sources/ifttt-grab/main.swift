import GrabID

print(GrabEnvironment.production.base)
