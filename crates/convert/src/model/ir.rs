//! OpenVINO's representation: an XML file of layers and edges, and a file of constants.

use std::collections::{BTreeMap, HashMap};

use roxmltree::{Document, Node as Xml, ParsingOptions};
use seedproof_ops::{Dtype, Scalar};

use super::found::{Found, Model};
use crate::source::{Body, Framework, Source, Value};

/// The most attributes of one element. A layer has a few, and the parser compares each attribute with all others of its
/// element, which takes the square of their number.
const MOST_ATTRIBUTES: usize = 4_096;

pub(super) fn read(bytes: &[u8], constants: &[u8]) -> Result<Model, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        format!(
            "failed to read the model as UTF-8 at byte {}: {error}",
            error.valid_up_to()
        )
    })?;
    if text
        .split('<')
        .any(|tag| tag.matches('=').count() > MOST_ATTRIBUTES)
    {
        return Err(format!(
            "failed to read the model: an element has more than {MOST_ATTRIBUTES} attributes"
        ));
    }
    // A node of XML takes at least three bytes of text. This limit keeps the tree proportional to the file.
    let options = ParsingOptions {
        nodes_limit: u32::try_from(bytes.len() / 3).unwrap_or(u32::MAX).max(16),
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|error| match error {
        // The only error without a position.
        roxmltree::Error::UnclosedRootNode => {
            format!(
                "failed to read the model at byte {}, its end: {error}",
                bytes.len()
            )
        }
        error => format!("failed to read the model: {error}"),
    })?;
    let root = document.root_element();
    if root.tag_name().name() != "net" {
        return Err(format!(
            "failed to find `<net>`, the root of OpenVINO's representation: the root is `<{}>`",
            root.tag_name().name()
        ));
    }
    let mut found = Vec::new();
    // Bodies of loops and conditions are networks inside layers.
    for layers in root.descendants().filter(|node| node.has_tag_name("layers")) {
        let around = layers
            .ancestors()
            .filter_map(|node| match node.attribute("type")? {
                "Loop" | "TensorIterator" => Some(Body::Loop),
                "If" => Some(Body::Branch),
                _ => None,
            });
        let body = around.max();
        let first = found.len();
        network(layers, constants, &mut found)?;
        for op in &mut found[first..] {
            op.source
                .parameters
                .extend(body.map(|body| (Body::KEY.to_owned(), Value::Text(body.to_string()))));
        }
    }
    Ok(Model {
        found,
        ..Model::default()
    })
}

/// The layers of one network and the edges between them.
struct Network<'a, 'b> {
    layers: HashMap<&'a str, Xml<'a, 'b>>,
    /// The layer that feeds each input port of each layer.
    edges: HashMap<(&'a str, &'a str), &'a str>,
    constants: &'b [u8],
}

fn network(layers: Xml<'_, '_>, constants: &[u8], found: &mut Vec<Found>) -> Result<(), String> {
    let list = layers.children().filter(|node| node.has_tag_name("layer"));
    let edges = layers.parent().into_iter().flat_map(|parent| parent.children());
    let edges = edges
        .filter(|node| node.has_tag_name("edges"))
        .flat_map(|edges| edges.children());
    let edge = |node: Xml<'_, '_>| {
        Some((
            (
                node.attribute("to-layer")?.to_owned(),
                node.attribute("to-port")?.to_owned(),
            ),
            node.attribute("from-layer")?.to_owned(),
        ))
    };
    let owned: HashMap<(String, String), String> = edges.filter_map(edge).collect();
    let network = Network {
        layers: list
            .clone()
            .filter_map(|layer| Some((layer.attribute("id")?, layer)))
            .collect(),
        edges: owned
            .iter()
            .map(|((to, port), from)| ((to.as_str(), port.as_str()), from.as_str()))
            .collect(),
        constants,
    };
    if let Some(id) = owned
        .iter()
        .flat_map(|((to, _), from)| [to, from])
        .find(|id| !network.layers.contains_key(id.as_str()))
    {
        return Err(format!(
            "failed to read the edges: there is no layer of the id `{id}`"
        ));
    }
    for layer in list {
        let op = layer.attribute("type").unwrap_or("");
        if matches!(op, "RandomUniform" | "Multinomial") {
            found.push(network.source(layer, op)?);
        }
    }
    Ok(())
}

impl<'a> Network<'a, '_> {
    fn source(&self, layer: Xml<'a, '_>, op: &str) -> Result<Found, String> {
        let name = layer.attribute("name").unwrap_or("");
        let data = layer.children().find(|node| node.has_tag_name("data"));
        let attribute = |name: &str| data.and_then(|data| data.attribute(name));
        let mut parameters = BTreeMap::new();
        for seed in ["global_seed", "op_seed"] {
            parameters.insert(
                seed.to_owned(),
                seed_of(attribute(seed).unwrap_or("0"), name, seed)?,
            );
        }
        // In upper case, so that nothing that reads them depends on how a file writes them.
        for flag in ["alignment", "with_replacement", "log_probs"] {
            if let Some(text) = attribute(flag) {
                parameters.insert(flag.to_owned(), Value::Text(text.to_ascii_uppercase()));
            }
        }
        let kind = attribute(if op == "RandomUniform" {
            "output_type"
        } else {
            "convert_type"
        })
        .unwrap_or("");
        if op == "RandomUniform" {
            for (port, bound) in [("1", "minval"), ("2", "maxval")] {
                if let Some(value) = self.constant(layer, port)? {
                    parameters.insert(bound.to_owned(), value);
                }
            }
        }
        if op == "Multinomial"
            && let Some((dtype, probs)) = self.constants_at(layer, "0")?
        {
            parameters.insert("probs_type".to_owned(), Value::Text(dtype.name().to_owned()));
            parameters.insert("probs".to_owned(), Value::List(probs));
        }
        // A port without `<dim>` is that of a scalar.
        let output = layer.children().find(|node| node.has_tag_name("output"));
        let port = output.and_then(|output| output.children().find(|node| node.has_tag_name("port")));
        let shape: Option<Vec<u64>> = port.and_then(|port| {
            let extents = port.children().filter(|node| node.has_tag_name("dim"));
            extents.map(|dim| dim.text()?.trim().parse().ok()).collect()
        });
        Ok(Found {
            name: name.to_owned(),
            source: Source {
                framework: Framework::Openvino,
                op: op.to_owned(),
                kind: kind.to_owned(),
                shape,
                parameters,
            },
        })
    }

    /// The number of the constant at a port, if there is one.
    fn constant(&self, layer: Xml<'a, '_>, port: &str) -> Result<Option<Value>, String> {
        Ok(self
            .constants_at(layer, port)?
            .and_then(|(_, values)| values.into_iter().next()))
    }

    /// The numbers of the constant at a port and their element type there; `None` if the port is not fed by a constant.
    ///
    /// # Errors
    /// If they are not in the file of constants, which may be missing or belong to another model.
    fn constants_at(&self, layer: Xml<'a, '_>, port: &str) -> Result<Option<(Dtype, Vec<Value>)>, String> {
        let Some((stored, converted, [offset, size])) = self.place_of(layer, port) else {
            return Ok(None);
        };
        let place = offset.parse().ok().zip(size.parse::<usize>().ok());
        let bytes = place
            .and_then(|(offset, size): (usize, usize)| self.constants.get(offset..offset.checked_add(size)?));
        let bytes = bytes.ok_or_else(|| {
            format!(
                "failed to read the constant at port {port} of layer `{}`: {size} bytes from {offset} on do not lie in the .bin file, \
                 which has {} bytes",
                layer.attribute("name").unwrap_or(""),
                self.constants.len()
            )
        })?;
        let values = bytes.chunks_exact(stored.size()).map(|bytes| {
            let scalar = Scalar::from_le_bytes(stored, bytes);
            if stored.is_float() {
                Value::Real(scalar.to_f64())
            } else {
                Value::Integer(scalar.to_i64())
            }
        });
        Ok(Some((converted, values.collect())))
    }

    /// The constant at a port, possibly behind conversions: its element types in the file and at the port, and the
    /// texts of its offset and size.
    fn place_of(&self, layer: Xml<'a, '_>, port: &str) -> Option<(Dtype, Dtype, [&'a str; 2])> {
        let data_of = |layer: Xml<'a, '_>| layer.children().find(|node| node.has_tag_name("data"));
        let mut converted: Option<Dtype> = None;
        let mut from = *self
            .layers
            .get(self.edges.get(&(layer.attribute("id")?, port))?)?;
        while from.attribute("type") == Some("Convert") {
            let to = data_of(from).and_then(|data| data.attribute("destination_type"));
            converted = converted.or(Some(to?.parse().ok()?));
            let id = from.attribute("id")?;
            let next = *self.layers.get(self.edges.get(&(id, "0"))?)?;
            // A layer stands after those that feed it. A cycle of conversions in an invalid file would not end.
            if next.range().start >= from.range().start {
                return None;
            }
            from = next;
        }
        let data = data_of(from)?;
        let dtype: Dtype = data.attribute("element_type")?.parse().ok()?;
        let place = [data.attribute("offset")?, data.attribute("size")?];
        Some((dtype, converted.unwrap_or(dtype), place))
    }
}

/// A seed of 64 bits, which files write as a signed or unsigned number.
fn seed_of(text: &str, layer: &str, name: &str) -> Result<Value, String> {
    let number: i128 = text
        .parse()
        .map_err(|_| format!("failed to read {name} of layer `{layer}`: `{text}` is not a whole number"))?;
    if number < i64::MIN.into() || number > u64::MAX.into() {
        return Err(format!(
            "failed to read {name} of layer `{layer}`: `{text}` does not fit 64 bits"
        ));
    }
    let bits = crate::source::low_64(number);
    Ok(i64::try_from(bits).map_or(Value::Unsigned(bits), Value::Integer))
}
