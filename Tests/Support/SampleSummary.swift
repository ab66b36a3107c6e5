/// A file that `--report summary=FILE` writes.
package enum SampleSummary {
  package static func text(ofShard number: Int, of count: Int) -> String {
    #"{"version":1,"shard":{"number":\#(number),"count":\#(count)},"total":1,"succeeded":1,"failed":0,"#
      + #""skipped":0,"errors":{}}"# + "\n"
  }
}
