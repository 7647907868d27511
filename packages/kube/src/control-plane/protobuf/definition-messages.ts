/**
 * Messages of a CustomResourceDefinition: k8s.io/apiextensions-apiserver apiextensions/v1
 * `generated.proto`.
 */

/** In the form that `message-table.ts` reads. */
export const DEFINITION_MESSAGES = `
apiextensions.k8s.io/v1/CustomResourceDefinition = 1 metadata ObjectMeta,
  2 spec CustomResourceDefinitionSpec, 3 status CustomResourceDefinitionStatus
CustomResourceDefinitionSpec = 1 group?, 3 names CustomResourceDefinitionNames, 4 scope?,
  7 versions [CustomResourceDefinitionVersion], 9 conversion CustomResourceConversion,
  10 preserveUnknownFields bool
CustomResourceDefinitionNames = 1 plural?, 2 singular, 3 shortNames [], 4 kind?, 5 listKind,
  6 categories []
CustomResourceDefinitionVersion = 1 name?, 2 served? bool, 3 storage? bool,
  4 schema CustomResourceValidation, 5 subresources CustomResourceSubresources,
  6 additionalPrinterColumns [CustomResourceColumnDefinition], 7 deprecated bool,
  8 deprecationWarning?, 9 selectableFields [SelectableField]
CustomResourceValidation = 1 openAPIV3Schema JSONSchemaProps
JSONSchemaProps = 1 id, 2 $schema, 3 $ref?, 4 description, 5 type, 6 format, 7 title,
  8 default? json, 9 maximum? number, 10 exclusiveMaximum bool, 11 minimum? number,
  12 exclusiveMinimum bool, 13 maxLength? int, 14 minLength? int, 15 pattern, 16 maxItems? int,
  17 minItems? int, 18 uniqueItems bool, 19 multipleOf? number, 20 enum [json],
  21 maxProperties? int, 22 minProperties? int, 23 required [], 24 items JSONSchemaPropsOrArray,
  25 allOf [JSONSchemaProps], 26 oneOf [JSONSchemaProps], 27 anyOf [JSONSchemaProps],
  28 not JSONSchemaProps, 29 properties {JSONSchemaProps},
  30 additionalProperties? JSONSchemaPropsOrBool, 31 patternProperties {JSONSchemaProps},
  32 dependencies {JSONSchemaPropsOrStringArray}, 33 additionalItems? JSONSchemaPropsOrBool,
  34 definitions {JSONSchemaProps}, 35 externalDocs ExternalDocumentation, 36 example? json,
  37 nullable bool, 38 x-kubernetes-preserve-unknown-fields? bool,
  39 x-kubernetes-embedded-resource bool, 40 x-kubernetes-int-or-string bool,
  41 x-kubernetes-list-map-keys [], 42 x-kubernetes-list-type?, 43 x-kubernetes-map-type?,
  44 x-kubernetes-validations [ValidationRule]
JSONSchemaPropsOrArray = 2 jSONSchemas [JSONSchemaProps] | 1 schema JSONSchemaProps
JSONSchemaPropsOrBool = 2 schema JSONSchemaProps | 1 allows? bool
JSONSchemaPropsOrStringArray = 1 schema JSONSchemaProps | 2 property []
ExternalDocumentation = 1 description, 2 url
ValidationRule = 1 rule?, 2 message, 3 messageExpression, 4 reason?, 5 fieldPath,
  6 optionalOldSelf? bool
CustomResourceSubresources = 1 status CustomResourceSubresourceStatus,
  2 scale CustomResourceSubresourceScale
CustomResourceSubresourceStatus =
CustomResourceSubresourceScale = 1 specReplicasPath?, 2 statusReplicasPath?, 3 labelSelectorPath?
CustomResourceColumnDefinition = 1 name?, 2 type?, 3 format, 4 description, 5 priority int,
  6 jsonPath?
SelectableField = 1 jsonPath?
CustomResourceConversion = 1 strategy?, 2 webhook WebhookConversion
WebhookConversion = 2 clientConfig WebhookClientConfig, 3 conversionReviewVersions []
WebhookClientConfig = 1 service ServiceReference, 2 caBundle byte, 3 url?
ServiceReference = 1 namespace?, 2 name?, 3 path?, 4 port? int
CustomResourceDefinitionStatus = 1 conditions [CustomResourceDefinitionCondition],
  2 acceptedNames CustomResourceDefinitionNames, 3 storedVersions []
CustomResourceDefinitionCondition = 1 type?, 2 status?, 3 lastTransitionTime time, 4 reason,
  5 message
`;
