/// The version of this program, which is in the settings that it writes for git.
package enum ProgramVersion {
  package static let text = "0.1.0"
}
