/// The source of the values that completion scripts request. The names are those in the tree's
/// `CompletionKind.dynamic` and `dynamicList`.
package enum CompletionCandidates: String, CaseIterable {
  case connectionID = "connection-id"
  case appletID = "applet-id"
  case setting
  case fieldAddress = "field-address"
  case feature, trigger, query, action
  case region
  case profile
  case tokenUser = "token-user"
  case field
  case condition
  case schema
  case language
  case plugin
  case pluginIndex = "plugin-index"
  case serviceCheck = "service-check"
}
