/// A public key for examples, whose private key exists nowhere.
package enum SamplePublicKey {
  package static let text =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKEcdH/9kjIua51QimR8t9djasQlYFdZ+phNNNYH6e5L acme\n"
}
