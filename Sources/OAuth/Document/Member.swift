package import Members

/// The record of a member of a document (oap-documents(5)).
package typealias Member = Members.Member
